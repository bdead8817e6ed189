/** Operations of the contract that this version answers with UNIMPLEMENTED. The list may only shrink. */
export const UNIMPLEMENTED: readonly string[] = ["ResourceService.RefreshResource", "SearchService.Search"];
