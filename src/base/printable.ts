/** The text on one line, without control sequences: names and passages come from strangers. */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ");

/** A text of several lines without control sequences of a terminal. */
export const printableLines = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
