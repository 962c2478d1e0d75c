/** Parts of the product in the seeded tickets. */
export const AREAS = [
  "Login",
  "Billing",
  "Search",
  "CSV export",
  "Mobile app",
  "Calendar",
  "Notifications",
  "File upload",
  "Reports",
  "User roles",
  "API",
  "Webhooks",
  "Dashboard",
  "Backups",
  "Mail import",
  "Printing",
] as const;

/** What can be wrong with any of them. */
export const PROBLEMS = [
  "times out for accounts with more than 1,000 entries",
  "shows yesterday's numbers until the page is reloaded",
  "returns error 500 since the last release",
  "drops umlauts and accents",
  "is slow on Monday mornings",
  "fails when two people save at the same time",
  "ignores the user's time zone",
  "forgets its settings after logging out",
  "does everything twice after a retry",
  "hides the save button on small screens",
  "accepts dates in the past",
  "does not work in Firefox",
  "rounds amounts wrongly",
  "rejects files over 10 MB without saying so",
  "stops when the session expires",
  "shows a blank page to new users",
  "keeps deleted entries in the list",
  "asks for the password again and again",
  "mixes up first and last names",
  "should remember the last filter",
  "should work with the keyboard alone",
  "should say who made the last change",
  "has no way to undo",
  "links to a manual that is gone",
] as const;

/** Who reports, comments and is assigned. */
export const PEOPLE = [
  "Amira Haddad",
  "Ben Okafor",
  "Chloé Martin",
  "Dmitri Sokolov",
  "Elena Rossi",
  "Farid Nazari",
  "Grace Lin",
  "Henrik Lund",
  "Ines Duarte",
  "Jonas Weber",
  "Keiko Tanaka",
  "Lucía Romero",
] as const;

/** Second sentence of a description. */
export const CIRCUMSTANCES = [
  "It started last week and happens every day.",
  "Two customers have called about it.",
  "I could reproduce it in a private window.",
  "It works again after clearing the cache, but only for an hour.",
  "Only the test account is affected so far.",
  "It blocks the month-end closing.",
] as const;

/** What people write under a ticket. */
export const REMARKS = [
  "I can confirm this.",
  "Which browser is it?",
  "The logs show nothing unusual.",
  "Happened again this morning.",
  "A screenshot is in the shared folder.",
  "Moved to the next sprint.",
  "Is there a workaround?",
  "The customer asks for an update.",
] as const;

/** Why a ticket was closed. */
export const CLOSE_REASONS = [
  "Fixed in the last release.",
  "Cannot be reproduced.",
  "Works as designed.",
  "The reporter did not answer.",
] as const;
