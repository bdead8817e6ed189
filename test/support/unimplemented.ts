/** Operations of the contract that this version answers with UNIMPLEMENTED. The list may only shrink. */
export const UNIMPLEMENTED: readonly string[] = [
  "ResourceService.RefreshResource",
  "SearchService.Search",
  "SessionService.AddMessage",
  "SessionService.CommitSession",
  "SessionService.CreateSession",
  "SessionService.DeleteSession",
  "SessionService.GetSession",
  "SessionService.GetSessionContext",
  "SessionService.ListSessions",
  "SessionService.RecordUsage",
];
