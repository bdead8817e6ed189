package ctxdb

import (
	"iter"

	"google.golang.org/protobuf/types/known/structpb"
)

type page interface{ GetNextCursor() string }

// each yields the items of all pages, from the one at a cursor (nil for the first), and requests each page when it
// is needed; an error is yielded last.
func each[P page, T any](from *string, pageAt func(cursor *string) (P, error), itemsOf func(P) []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := from; ; {
			found, err := pageAt(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range itemsOf(found) {
				if !yield(item, nil) {
					return
				}
			}
			next := found.GetNextCursor()
			if next == "" {
				return
			}
			cursor = &next
		}
	}
}

// Entry is a file or folder of a list. Size is in bytes, MTime and CTime in Unix seconds, ModTime is ISO 8601. RelPath is
// there in trees and recursive lists. Output "agent" gives Abstract, and leaves Name, Mode, MTime and CTime empty.
// Source is the URI of the file from which the server derived it, for example a section of a document; else it is empty.
type Entry struct {
	URI, Name, ModTime, RelPath, Abstract, Source string
	IsDir                                         bool
	Size                                          int64
	Mode                                          uint32
	MTime, CTime                                  float64
}

func entriesOf(values []*structpb.Value) []Entry {
	entries := make([]Entry, 0, len(values))
	for _, value := range values {
		fields := value.GetStructValue().GetFields()
		entries = append(entries, Entry{
			URI:      fields["uri"].GetStringValue(),
			Name:     fields["name"].GetStringValue(),
			ModTime:  fields["modTime"].GetStringValue(),
			RelPath:  fields["rel_path"].GetStringValue(),
			Abstract: fields["abstract"].GetStringValue(),
			Source:   fields["source"].GetStringValue(),
			IsDir:    fields["isDir"].GetBoolValue(),
			Size:     int64(fields["size"].GetNumberValue()),
			Mode:     uint32(fields["mode"].GetNumberValue()),
			MTime:    fields["mtime"].GetNumberValue(),
			CTime:    fields["ctime"].GetNumberValue(),
		})
	}
	return entries
}

// URIs is the value of a field that takes one or several URIs, such as TargetUri of a FindRequest.
func URIs(uris ...string) *structpb.Value {
	values := make([]*structpb.Value, 0, len(uris))
	for _, uri := range uris {
		values = append(values, structpb.NewStringValue(uri))
	}
	return structpb.NewListValue(&structpb.ListValue{Values: values})
}
