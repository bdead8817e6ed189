import type { ProductKind } from "./product-names.ts";

/**
 * Kinds of facts for which a new fact replaces the current one, however both are worded: "we're in Stockport
 * now" replaces "lives in a flat in Hulme".
 */
export type FactKind =
  | "home"
  | "work"
  | "partner"
  | "diet"
  | "drink"
  | "exercise"
  | "deadline"
  | "doctor"
  | "dentist"
  | "landlord"
  | "lesson"
  | "school"
  | "age"
  | "hobby"
  | "pet"
  | "transport"
  | "date"
  | "study"
  | "schedule"
  | ProductKind;
