/** Longest file name in bytes; file systems allow 255, and the temporary file's name is longer than the note's. */
const LONGEST_NAME = 200;

/** Names that Windows keeps for devices, with any extension: "Naming Files, Paths, and Namespaces" in its documentation. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * Why a name cannot be a note's, or undefined when it can. A note's name is a plain Markdown file name: no folder, no
 * device, nothing that another system reads as a path.
 */
export function nameProblem(name: string): string | undefined {
  if (/[/\\]/.test(name)) return "it must not contain / or \\: there are no folders";
  // A colon names a drive or an alternate stream on Windows; the others cannot be in a file name there.
  if (/[\u0000-\u001f\u007f:*?"<>|]/.test(name)) return "it contains a character that file names must not have";
  if (name.startsWith(".")) return "it must not start with a dot";
  if (!name.endsWith(".md") || name === ".md") return "it must end in .md";
  if (DEVICE.test(name)) return "it is the name of a device";
  if (Buffer.byteLength(name) > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  return undefined;
}
