package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// absent represents a missing value.
type absent struct{}

// mismatch returns why a value does not meet an expectation (clients/README.md, "Expectations"), or "" if it
// does.
func mismatch(wanted, found any, at string) string {
	switch wanted := wanted.(type) {
	case map[string]any:
		return mismatchOfObject(wanted, found, at)
	case []any:
		list, ok := found.([]any)
		if !ok || len(list) != len(wanted) {
			return fmt.Sprintf("%s: %s is not a list of %d", at, show(found), len(wanted))
		}
		for i, value := range wanted {
			if why := mismatch(value, list[i], fmt.Sprintf("%s.%d", at, i)); why != "" {
				return why
			}
		}
		return ""
	}
	if wanted != found {
		return fmt.Sprintf("%s: %s is not %s", at, show(found), show(wanted))
	}
	return ""
}

func mismatchOfObject(wanted map[string]any, found any, at string) string {
	isRule := false
	for rule, value := range wanted {
		if !strings.HasPrefix(rule, "$") {
			continue
		}
		isRule = true
		if check := rules[rule]; check == nil || !check(value, found) {
			return fmt.Sprintf("%s: %s does not fit %s %s", at, show(found), rule, show(value))
		}
	}
	if isRule {
		return ""
	}
	object, ok := found.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s: %s is not an object", at, show(found))
	}
	for key, value := range wanted {
		one, has := object[key]
		if !has {
			one = absent{}
		}
		if why := mismatch(value, one, at+"."+key); why != "" {
			return why
		}
	}
	return ""
}

func fits(wanted, found any) bool { return mismatch(wanted, found, "") == "" }

var rules map[string]func(wanted, found any) bool

// The rules call each other through mismatch.
func init() {
	rules = map[string]func(wanted, found any) bool{
		"$contains": contains,
		"$all": func(wanted, found any) bool {
			for _, one := range wanted.([]any) {
				if !fits(one, found) {
					return false
				}
			}
			return true
		},
		"$not":    func(wanted, found any) bool { return !fits(wanted, found) },
		"$exists": func(wanted, found any) bool { return (found != absent{}) == wanted },
		"$length": func(wanted, found any) bool { return float64(length(found)) == wanted },
		"$min":    func(wanted, found any) bool { number, ok := found.(float64); return ok && number >= wanted.(float64) },
		"$max":    func(wanted, found any) bool { number, ok := found.(float64); return ok && number <= wanted.(float64) },
		"$startsWith": func(wanted, found any) bool {
			text, ok := found.(string)
			return ok && strings.HasPrefix(text, wanted.(string))
		},
		"$matches": func(wanted, found any) bool {
			text, ok := found.(string)
			return ok && regexp.MustCompile(wanted.(string)).MatchString(text)
		},
	}
}

func contains(wanted, found any) bool {
	if text, ok := found.(string); ok {
		return strings.Contains(text, wanted.(string))
	}
	list, _ := found.([]any)
	for _, one := range list {
		if fits(wanted, one) {
			return true
		}
	}
	return false
}

func length(found any) int {
	switch found := found.(type) {
	case string:
		return utf8.RuneCountInString(found)
	case []any:
		return len(found)
	}
	return -1
}

func show(value any) string {
	if value == (absent{}) {
		return "nothing"
	}
	text, _ := json.Marshal(value)
	return string(text[:min(len(text), 300)])
}
