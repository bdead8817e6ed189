package dev.ctxdb.client.scenarios;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Compares a result with its expectation. */
final class Matching {
  private Matching() {}

  /** Throws a Mismatch with the path and the reason; `found` is null for a missing value. */
  static void check(JsonElement expected, JsonElement found, String place) {
    if (expected.isJsonObject()) checkObject(expected.getAsJsonObject(), found, place);
    else if (expected.isJsonArray()) checkArray(expected.getAsJsonArray(), found, place);
    else if (!isEqual(expected, found)) throw differs(expected, found, place);
  }

  private static void checkObject(JsonObject expected, JsonElement found, String place) {
    if (expected.keySet().stream().anyMatch(key -> key.startsWith("$"))) {
      boolean fits = expected.entrySet().stream().allMatch(rule -> holds(rule.getKey(), rule.getValue(), found));
      if (!fits) throw differs(expected, found, place);
      return;
    }
    if (found == null || !found.isJsonObject()) throw differs(expected, found, place);
    expected.entrySet().forEach(entry -> check(entry.getValue(), found.getAsJsonObject().get(entry.getKey()), place + "." + entry.getKey()));
  }

  private static void checkArray(JsonArray expected, JsonElement found, String place) {
    if (found == null || !found.isJsonArray() || found.getAsJsonArray().size() != expected.size()) throw differs(expected, found, place);
    for (int at = 0; at < expected.size(); at++) check(expected.get(at), found.getAsJsonArray().get(at), place + "." + at);
  }

  private static boolean isEqual(JsonElement expected, JsonElement found) {
    if (isNumber(expected) && isNumber(found)) return expected.getAsDouble() == found.getAsDouble();
    return expected.equals(found);
  }

  private static boolean holds(String rule, JsonElement value, JsonElement found) {
    if (rule.equals("$exists")) return value.getAsBoolean() == (found != null);
    if (found == null) return false;
    return switch (rule) {
      case "$contains" -> contains(found, value);
      case "$all" -> items(value).allMatch(one -> fits(one, found));
      case "$not" -> !fits(value, found);
      case "$length" -> lengthOf(found) == value.getAsInt();
      case "$min" -> isNumber(found) && found.getAsDouble() >= value.getAsDouble();
      case "$max" -> isNumber(found) && found.getAsDouble() <= value.getAsDouble();
      case "$startsWith" -> isText(found) && found.getAsString().startsWith(value.getAsString());
      case "$matches" -> isText(found) && Pattern.compile(value.getAsString()).matcher(found.getAsString()).find();
      default -> throw new Mismatch("no rule " + rule);
    };
  }

  private static boolean contains(JsonElement found, JsonElement part) {
    if (found.isJsonArray()) return items(found).anyMatch(item -> fits(part, item));
    return isText(found) && found.getAsString().contains(part.getAsString());
  }

  private static boolean fits(JsonElement expected, JsonElement found) {
    try {
      check(expected, found, "");
      return true;
    } catch (Mismatch differs) {
      return false;
    }
  }

  private static Stream<JsonElement> items(JsonElement array) {
    return StreamSupport.stream(array.getAsJsonArray().spliterator(), false);
  }

  private static int lengthOf(JsonElement found) {
    if (found.isJsonArray()) return found.getAsJsonArray().size();
    return isText(found) ? found.getAsString().codePointCount(0, found.getAsString().length()) : -1;
  }

  private static boolean isNumber(JsonElement element) {
    return element instanceof JsonPrimitive primitive && primitive.isNumber();
  }

  private static boolean isText(JsonElement element) {
    return element instanceof JsonPrimitive primitive && primitive.isString();
  }

  private static Mismatch differs(JsonElement expected, JsonElement found, String place) {
    return new Mismatch(place + ": expected " + expected + ", found " + (found == null ? "nothing" : found));
  }
}
