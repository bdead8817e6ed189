package dev.ctxdb.client.scenarios;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;

/** Between the messages of the contract and their JSON. */
final class Messages {
  private static final JsonFormat.Printer PRINTER = JsonFormat.printer().preservingProtoFieldNames().includingDefaultValueFields();

  private Messages() {}

  @SuppressWarnings("unchecked")
  static <Q extends Message> Q request(Q prototype, JsonElement json) {
    Message.Builder builder = prototype.newBuilderForType();
    try {
      JsonFormat.parser().merge(json.toString(), builder);
    } catch (InvalidProtocolBufferException wrong) {
      throw new Mismatch("the arguments do not fit: " + wrong.getMessage());
    }
    return (Q) builder.build();
  }

  static JsonElement json(MessageOrBuilder message) {
    try {
      return JsonParser.parseString(PRINTER.print(message));
    } catch (InvalidProtocolBufferException wrong) {
      throw new IllegalStateException(wrong);
    }
  }
}
