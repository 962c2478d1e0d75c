// The tools of the MCP server "notes", declared by nami.

interface notes {
  /** Deletes a note for good. */
  delete_note(args: {
    /**
     * The file name of a note, such as "plan.md"
     * @minLength 1
     */
    name: string;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<any>;

  /** All notes by name. */
  list_notes(args?: Record<string, never>, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    notes: {
      name: string;
      /**
       * @integer
       * @minimum 0
       * @maximum 9007199254740991
       */
      bytes: number;
    }[];
  }>;

  /** The Markdown text of a note. */
  read_note(args: {
    /**
     * The file name of a note, such as "plan.md"
     * @minLength 1
     */
    name: string;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<any>;

  /** Lines that contain a text, whatever the case, as a JSON list of {name, line, text}; at most 100. */
  search_notes(args: {
    /** @minLength 1 */
    text: string;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<any>;

  /** Saves a note. A note of that name is replaced. */
  write_note(args: {
    /**
     * The file name of a note, such as "plan.md"
     * @minLength 1
     */
    name: string;
    /** @maxLength 1000000 */
    text: string;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    name: string;
    /**
     * @integer
     * @minimum 0
     * @maximum 9007199254740991
     */
    bytes: number;
    /** There was no such note before */
    created: boolean;
  }>;
}

declare const notes: notes;
