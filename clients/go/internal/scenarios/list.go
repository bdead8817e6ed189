package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

type object = map[string]any

// scenarioList is the content of clients/scenarios.json (described in clients/README.md).
type scenarioList struct {
	Files   map[string]json.RawMessage `json:"files"`
	Callers map[string]object          `json:"callers"`
	Steps   []step                     `json:"steps"`
}

type step struct {
	ID               string            `json:"id"`
	As               string            `json:"as"`
	Op               string            `json:"op"`
	Args             object            `json:"args"`
	Deadline         float64           `json:"deadline"`
	CancelAfterBytes int64             `json:"cancel_after_bytes"`
	Expect           object            `json:"expect"`
	Save             map[string]string `json:"save"`
}

const pattern = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY"

func readList(path string) (*scenarioList, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list scenarioList
	return &list, json.Unmarshal(text, &list)
}

// writeFiles creates each local file: a text, a link, or a number of bytes of the pattern.
func (l *scenarioList) writeFiles(folder string) error {
	for name, raw := range l.Files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		var text string
		var other struct {
			Link  string `json:"link"`
			Bytes int    `json:"bytes"`
		}
		var err error
		if json.Unmarshal(raw, &text) == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		} else if err = json.Unmarshal(raw, &other); err == nil && other.Link != "" {
			err = os.Symlink(other.Link, path)
		} else if err == nil {
			err = os.WriteFile(path, bytes.Repeat([]byte(pattern), other.Bytes/len(pattern)+1)[:other.Bytes], 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var placeholder = regexp.MustCompile(`\$\{(\w+)\}`)

// filled replaces ${name} in every string. A string that is only a placeholder becomes the value itself.
func filled(value any, values object) (any, error) {
	switch value := value.(type) {
	case string:
		return filledText(value, values)
	case []any:
		list := make([]any, len(value))
		for i, one := range value {
			made, err := filled(one, values)
			if err != nil {
				return nil, err
			}
			list[i] = made
		}
		return list, nil
	case object:
		made := object{}
		for key, one := range value {
			var err error
			if made[key], err = filled(one, values); err != nil {
				return nil, err
			}
		}
		return made, nil
	}
	return value, nil
}

func filledText(text string, values object) (any, error) {
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		value, has := values[found[1]]
		if !has {
			return nil, fmt.Errorf("no value is called %s", found[1])
		}
		if found[0] == text {
			return value, nil
		}
		text = strings.ReplaceAll(text, found[0], fmt.Sprint(value))
	}
	return text, nil
}

// valueAt returns the value at a path such as resources.0.uri, or absent.
func valueAt(value any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		switch here := value.(type) {
		case object:
			one, has := here[key]
			if !has {
				return absent{}
			}
			value = one
		case []any:
			index, err := strconv.Atoi(key)
			if err != nil || index >= len(here) {
				return absent{}
			}
			value = here[index]
		default:
			return absent{}
		}
	}
	return value
}
