/** Result of one check. */
export interface Check {
  readonly name: string;
  /** "missing": optional, reduces what works; "fault": prevents the start of the server. */
  readonly state: "good" | "missing" | "fault";
  readonly found: string;
  /** How to fix it. */
  readonly remedy?: string;
}

export const good = (name: string, found: string): Check => ({ name, state: "good", found });
export const missing = (name: string, found: string, remedy: string): Check => ({
  name,
  state: "missing",
  found,
  remedy,
});
export const fault = (name: string, found: string, remedy: string): Check => ({
  name,
  state: "fault",
  found,
  remedy,
});
