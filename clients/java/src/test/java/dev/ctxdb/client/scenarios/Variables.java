package dev.ctxdb.client.scenarios;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values for the placeholders `${name}`. */
final class Variables {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

  private final Map<String, JsonElement> values = new HashMap<>();

  Variables(String rootKey) {
    StringBuilder random = new StringBuilder();
    while (random.length() < 8) random.append(LETTERS.charAt(ThreadLocalRandom.current().nextInt(LETTERS.length())));
    values.put("root_key", new JsonPrimitive(rootKey));
    values.put("random", new JsonPrimitive(random.toString()));
    values.put("root", new JsonPrimitive("ctx://resources/run-" + random));
  }

  /** Stores the values at the paths that `save` names in a result. */
  void save(JsonObject save, JsonElement result) {
    for (var entry : save.entrySet()) {
      JsonElement found = result;
      for (String step : entry.getValue().getAsString().split("\\.")) {
        found = found.isJsonArray() ? found.getAsJsonArray().get(Integer.parseInt(step)) : found.getAsJsonObject().get(step);
        if (found == null) throw new Mismatch("nothing at " + entry.getValue() + " of " + result);
      }
      values.put(entry.getKey(), found);
    }
  }

  JsonElement filled(JsonElement element) {
    if (element.isJsonObject()) {
      JsonObject object = new JsonObject();
      element.getAsJsonObject().entrySet().forEach(entry -> object.add(entry.getKey(), filled(entry.getValue())));
      return object;
    }
    if (element.isJsonArray()) {
      JsonArray array = new JsonArray();
      element.getAsJsonArray().forEach(item -> array.add(filled(item)));
      return array;
    }
    boolean isText = element.isJsonPrimitive() && element.getAsJsonPrimitive().isString();
    return isText ? filled(element.getAsString()) : element;
  }

  private JsonElement filled(String text) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    if (matcher.matches()) return value(matcher.group(1));
    return new JsonPrimitive(matcher.reset().replaceAll(found -> Matcher.quoteReplacement(value(found.group(1)).getAsString())));
  }

  private JsonElement value(String name) {
    JsonElement value = values.get(name);
    if (value == null) throw new Mismatch("${" + name + "} has no value");
    return value;
  }
}
