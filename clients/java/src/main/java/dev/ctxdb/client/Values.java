package dev.ctxdb.client;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.Collection;
import java.util.Map;

/** JSON-like values of messages (targets, filters, skills) out of Java's own. */
public final class Values {
  private Values() {}

  /** Takes null, Boolean, Number, String, Collection, and Map with keys that are texts; IllegalArgumentException for anything else. */
  public static Value of(Object value) {
    Value.Builder result = Value.newBuilder();
    if (value == null) return result.setNullValue(NullValue.NULL_VALUE).build();
    if (value instanceof Boolean truth) return result.setBoolValue(truth).build();
    if (value instanceof Number number) return result.setNumberValue(number.doubleValue()).build();
    if (value instanceof String text) return result.setStringValue(text).build();
    if (value instanceof Map<?, ?> map) return result.setStructValue(struct(map)).build();
    if (!(value instanceof Collection<?> items)) throw new IllegalArgumentException("no JSON: " + value.getClass().getName());
    ListValue.Builder list = ListValue.newBuilder();
    for (Object item : items) list.addValues(of(item));
    return result.setListValue(list).build();
  }

  /** An object. */
  public static Struct struct(Map<?, ?> map) {
    Struct.Builder struct = Struct.newBuilder();
    map.forEach((key, value) -> struct.putFields((String) key, of(value)));
    return struct.build();
  }
}
