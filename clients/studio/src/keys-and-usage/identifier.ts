export const IDENTIFIER_HINT = "1 to 64 letters, digits, _ . @ - and a letter or digit first.";
