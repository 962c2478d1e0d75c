/** Names that generated text uses for something else. */
const RESERVED_NAMES = ["Input", "Output", "Record"];

/** The names of the definitions of one schema, by the pointers at which these stand. */
export interface DefinitionNames {
  /** The name of the definition at this pointer, if it has one. */
  get(pointer: string): string | undefined;
  /** Where the definition of this name stands. */
  pointer(name: string): string | undefined;
  /** Gives the definition a name that no other has: the last step of its pointer in PascalCase, if need be with a number. */
  claim(pointer: string): string;
}

/** The names of a schema whose root is called `rootName`. */
export function createDefinitionNames(rootPointer: string, rootName: string): DefinitionNames {
  const names = new Map([[rootPointer, rootName]]);
  const pointers = new Map([[rootName, rootPointer]]);
  /** By wished name the next number to try. */
  const numbers = new Map<string, number>();
  return {
    get: (pointer) => names.get(pointer),
    pointer: (name) => pointers.get(name),
    claim: (pointer) => {
      const wanted = wishedName(pointer);
      let name = wanted;
      let number = numbers.get(wanted) ?? 2;
      while (pointers.has(name) || RESERVED_NAMES.includes(name)) name = `${wanted}${number++}`;
      numbers.set(wanted, number);
      names.set(pointer, name);
      pointers.set(name, pointer);
      return name;
    },
  };
}

/** Longest name of a definition, in characters: it is repeated wherever the definition is used. */
const NAME_LENGTH = 60;

function wishedName(pointer: string): string {
  const words = (pointer.split("/").at(-1) ?? "").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return joined.replace(/^\d+/, "").slice(0, NAME_LENGTH) || "Definition";
}
