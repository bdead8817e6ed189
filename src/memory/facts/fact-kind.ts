import type { ProductKind } from "./product-names.ts";

/**
 * Kinds of facts of which a change replaces the current one, whatever its words: "we're in Stockport now"
 * replaces "lives in a flat in Hulme".
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
