/**
 * Texts from servers and models may carry characters that a reader cannot see or that reorder what he sees. Two ways out:
 * drop them (descriptions), or write them as escapes (arguments that a person is asked to approve).
 *
 * The set: C0 and C1 controls but tab and newline, soft hyphen, Arabic letter mark, zero-width and bidirectional
 * controls (Unicode TR9), word joiner and invisible operators, byte-order mark, interlinear annotation, variation selectors
 * supplement and the tag block (used to smuggle instructions).
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;

/** Text without the characters that hide or reorder text. */
export function dropInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** Text with the characters that hide or reorder text written as `\u{…}`: safe to show in a terminal, nothing is lost. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
