package ctxdb

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Code is an error code of the specification, or the name of the gRPC status if the server sent none.
type Code string

// The error codes of the specification, and Cancelled for calls that the client cancelled.
const (
	InvalidArgument    Code = "INVALID_ARGUMENT"
	InvalidURI         Code = "INVALID_URI"
	NotFound           Code = "NOT_FOUND"
	AlreadyExists      Code = "ALREADY_EXISTS"
	Unauthenticated    Code = "UNAUTHENTICATED"
	PermissionDenied   Code = "PERMISSION_DENIED"
	ResourceExhausted  Code = "RESOURCE_EXHAUSTED"
	FailedPrecondition Code = "FAILED_PRECONDITION"
	DeadlineExceeded   Code = "DEADLINE_EXCEEDED"
	Unavailable        Code = "UNAVAILABLE"
	Internal           Code = "INTERNAL"
	Unimplemented      Code = "UNIMPLEMENTED"
	EmbeddingFailed    Code = "EMBEDDING_FAILED"
	VlmFailed          Code = "VLM_FAILED"
	SessionExpired     Code = "SESSION_EXPIRED"
	Cancelled          Code = "CANCELLED"
)

// Error is returned by every failed call; get it with errors.As. For errors.Is, errors with the codes Cancelled
// and DeadlineExceeded are also context.Canceled and context.DeadlineExceeded.
type Error struct {
	Code Code
	// Message describes the error for people.
	Message string
	// Details describe the error for programs, for example {resource, type} for NotFound; nil if there are none.
	Details map[string]any
	// RequestID identifies the call in the server's log; "" if no server was reached.
	RequestID string
	// RetryAfter is the time after which the server asks the client to retry; 0 if it does not say.
	RetryAfter time.Duration

	cause error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Unwrap returns the gRPC status.
func (e *Error) Unwrap() error { return e.cause }

// Is also matches the corresponding error of package context.
func (e *Error) Is(target error) bool {
	return (target == context.Canceled && e.Code == Cancelled) || (target == context.DeadlineExceeded && e.Code == DeadlineExceeded)
}

// CodeOf returns the code of a call's error, or "" for nil and other errors.
func CodeOf(err error) Code {
	var failed *Error
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}

var canonicalNames = map[codes.Code]Code{
	codes.Canceled: Cancelled, codes.Unknown: "UNKNOWN", codes.InvalidArgument: InvalidArgument, codes.DeadlineExceeded: DeadlineExceeded,
	codes.NotFound: NotFound, codes.AlreadyExists: AlreadyExists, codes.PermissionDenied: PermissionDenied,
	codes.ResourceExhausted: ResourceExhausted, codes.FailedPrecondition: FailedPrecondition, codes.Aborted: "ABORTED",
	codes.OutOfRange: "OUT_OF_RANGE", codes.Unimplemented: Unimplemented, codes.Internal: Internal, codes.Unavailable: Unavailable,
	codes.DataLoss: "DATA_LOSS", codes.Unauthenticated: Unauthenticated,
}

// toError converts an error and its metadata to an Error; nil stays nil.
func toError(err error, answers ...metadata.MD) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	said, isStatus := status.FromError(err)
	if !isStatus {
		said = status.FromContextError(err)
	}
	made := &Error{Code: canonicalNames[said.Code()], Message: said.Message(), cause: err}
	for _, answer := range answers {
		if id := answer.Get("x-request-id"); len(id) > 0 {
			made.RequestID = id[0]
		}
		if wish := answer.Get("retry-after"); len(wish) > 0 {
			seconds, _ := strconv.Atoi(wish[0])
			made.RetryAfter = time.Duration(seconds) * time.Second
		}
	}
	for _, each := range said.Details() {
		if detail, ok := each.(*pb.ErrorDetail); ok {
			made.describe(detail)
		}
	}
	return made
}

func (e *Error) describe(detail *pb.ErrorDetail) {
	e.Code, e.Message = Code(detail.GetCode()), detail.GetMessage()
	if detail.GetDetails() != nil {
		e.Details = detail.GetDetails().AsMap()
	}
}

// taskError is the error of a failed task.
func taskError(detail *pb.ErrorDetail) error {
	made := &Error{Code: "UNKNOWN", Message: "the task has failed"}
	if detail != nil {
		made.describe(detail)
	}
	return made
}
