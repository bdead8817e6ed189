package dev.ctxdb.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.ctxdb.v1.ErrorDetail;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Thrown by a failed call. */
public final class CtxdbException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String code;
  private final transient Struct details;
  private final String requestId;
  private final Duration retryAfter;

  private CtxdbException(String code, String message, Struct details, String requestId, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = cause == null ? Duration.ZERO : Retry.wishOf(Status.trailersFromThrowable(cause));
  }

  /** Code of the specification, for example NOT_FOUND; the canonical gRPC status, for example CANCELLED, where the server sent none. */
  public String code() {
    return code;
  }

  /** Details for programs, for example {resource, type} of NOT_FOUND; empty if there are none. */
  public Struct details() {
    return details == null ? Struct.getDefaultInstance() : details;
  }

  /** The text under a key of the details. */
  public Optional<String> detail(String key) {
    Value value = details().getFieldsMap().get(key);
    return value != null && value.hasStringValue() ? Optional.of(value.getStringValue()) : Optional.empty();
  }

  /** Request id, as in the server's log; empty if no call was made. */
  public Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  /** Time after which the server asks to retry; empty if it does not say. */
  public Optional<Duration> retryAfter() {
    return Optional.of(retryAfter).filter(wish -> !wish.isZero());
  }

  /** {@code NOT_FOUND: …}, for people. */
  @Override
  public String toString() {
    return code + ": " + getMessage();
  }

  static CtxdbException invalid(String field, String reason, Throwable cause) {
    Struct details = Struct.newBuilder().putFields("field", text(field)).putFields("reason", text(reason)).build();
    return new CtxdbException("INVALID_ARGUMENT", field + ": " + reason, details, null, cause);
  }

  /** A local file or folder that cannot be read or written: INVALID_ARGUMENT that names it. */
  static CtxdbException ofPath(Path path, Exception cause) {
    String reason = cause.getMessage() == null || cause.getMessage().equals(path.toString()) ? cause.getClass().getSimpleName() : cause.getMessage();
    return invalid("path", path + ": " + reason, cause);
  }

  /** The error of a call by its status. */
  static CtxdbException of(Throwable thrown, String operation, String requestId) {
    Optional<ErrorDetail> detail = detailOf(thrown);
    if (detail.isPresent()) {
      ErrorDetail error = detail.get();
      return new CtxdbException(error.getCode(), error.getMessage(), error.getDetails(), requestId, thrown);
    }
    Status status = Status.fromThrowable(thrown);
    String message = operation + ": " + Optional.ofNullable(status.getDescription()).orElse(status.getCode().name()).lines().findFirst().orElse("");
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && !message.contains(cause.getMessage())) message += ": " + cause.getMessage();
    }
    Struct details = Struct.newBuilder().putFields("operation", text(operation)).build();
    return new CtxdbException(status.getCode().name(), message, details, requestId, thrown);
  }

  /** The error that a failed task carries. */
  static CtxdbException ofTask(String taskId, String status, ErrorDetail error) {
    if (error != null) return new CtxdbException(error.getCode(), error.getMessage(), error.getDetails(), null, null);
    return new CtxdbException("UNKNOWN", "task " + taskId + " has ended as \"" + status + "\"", null, null, null);
  }

  private static Optional<ErrorDetail> detailOf(Throwable thrown) {
    com.google.rpc.Status status = StatusProto.fromThrowable(thrown);
    if (status == null) return Optional.empty();
    return status.getDetailsList().stream().filter(any -> any.is(ErrorDetail.class)).findFirst().map(any -> {
      try {
        return any.unpack(ErrorDetail.class);
      } catch (InvalidProtocolBufferException broken) {
        return null;
      }
    });
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}
