// The tools of the MCP server "tickets", declared by nami.

interface tickets {
  /** Adds a comment to a ticket. Every call adds one more. */
  add_comment(args: {
    /**
     * The number of a ticket
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
    /**
     * @minLength 1
     * @maxLength 10000
     */
    text: string;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    /**
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
    title: string;
    /** The part of the product that it is about */
    area: string;
    status: "open" | "in_progress" | "closed";
    priority: "low" | "normal" | "high" | "urgent";
    reporter: string;
    assignee: string | null;
    /**
     * The id of the ticket that this one repeats, or null
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    duplicate_of: number | null;
    /** UTC, ISO 8601 */
    created: string;
    /** The last comment or change: UTC, ISO 8601 */
    updated: string;
    description: string;
    /** UTC, ISO 8601 */
    closed: string | null;
    close_reason: string | null;
    comments: {
      author: string;
      /** UTC, ISO 8601 */
      at: string;
      text: string;
    }[];
  }>;

  /** Closes a ticket for a reason. There is no way to reopen it. A closed ticket stays as it is. */
  close_ticket(args: {
    /**
     * The number of a ticket
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
    /**
     * @minLength 1
     * @maxLength 1000
     */
    reason: string;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    /**
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
    title: string;
    /** The part of the product that it is about */
    area: string;
    status: "open" | "in_progress" | "closed";
    priority: "low" | "normal" | "high" | "urgent";
    reporter: string;
    assignee: string | null;
    /**
     * The id of the ticket that this one repeats, or null
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    duplicate_of: number | null;
    /** UTC, ISO 8601 */
    created: string;
    /** The last comment or change: UTC, ISO 8601 */
    updated: string;
    description: string;
    /** UTC, ISO 8601 */
    closed: string | null;
    close_reason: string | null;
    comments: {
      author: string;
      /** UTC, ISO 8601 */
      at: string;
      text: string;
    }[];
  }>;

  /** A ticket with its description and comments. */
  get_ticket(args: {
    /**
     * The number of a ticket
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    /**
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
    title: string;
    /** The part of the product that it is about */
    area: string;
    status: "open" | "in_progress" | "closed";
    priority: "low" | "normal" | "high" | "urgent";
    reporter: string;
    assignee: string | null;
    /**
     * The id of the ticket that this one repeats, or null
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    duplicate_of: number | null;
    /** UTC, ISO 8601 */
    created: string;
    /** The last comment or change: UTC, ISO 8601 */
    updated: string;
    description: string;
    /** UTC, ISO 8601 */
    closed: string | null;
    close_reason: string | null;
    comments: {
      author: string;
      /** UTC, ISO 8601 */
      at: string;
      text: string;
    }[];
  }>;

  /** Lists tickets by id, 50 a page. Without keyword and status it lists all of them. */
  search_tickets(args?: {
    /**
     * Text in the title or the description
     * @minLength 1
     */
    keyword?: string;
    status?: "open" | "in_progress" | "closed";
    /**
     * @integer
     * @default 1
     * @minimum 1
     * @maximum 9007199254740991
     */
    page?: number;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    tickets: {
      /**
       * @integer
       * @minimum 1
       * @maximum 9007199254740991
       */
      id: number;
      title: string;
      /** The part of the product that it is about */
      area: string;
      status: "open" | "in_progress" | "closed";
      priority: "low" | "normal" | "high" | "urgent";
      reporter: string;
      assignee: string | null;
      /**
       * The id of the ticket that this one repeats, or null
       * @integer
       * @minimum 1
       * @maximum 9007199254740991
       */
      duplicate_of: number | null;
      /** UTC, ISO 8601 */
      created: string;
      /** The last comment or change: UTC, ISO 8601 */
      updated: string;
    }[];
    /**
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    page: number;
    /**
     * How many pages there are
     * @integer
     * @minimum 0
     * @maximum 9007199254740991
     */
    pages: number;
    /**
     * How many tickets match, on all pages
     * @integer
     * @minimum 0
     * @maximum 9007199254740991
     */
    total: number;
  }>;

  /** Everything that happened to a ticket, oldest first. The archive behind it is sometimes unavailable. */
  ticket_history(args: {
    /**
     * The number of a ticket
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
  }, options?: { signal?: { readonly aborted: boolean } }): Promise<{
    /**
     * The number of a ticket
     * @integer
     * @minimum 1
     * @maximum 9007199254740991
     */
    id: number;
    events: {
      /** UTC, ISO 8601 */
      at: string;
      actor: string;
      event: "created" | "commented" | "closed";
      text: string;
    }[];
  }>;
}

declare const tickets: tickets;
