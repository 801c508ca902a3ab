package config

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// jsonName is a field's name in a file, "" if it has none, and whether it must
// be given.
func jsonName(f reflect.StructField) (name string, required bool) {
	if !f.IsExported() || f.Anonymous {
		return "", false
	}
	tag, ok := f.Tag.Lookup("json")
	name, options, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-":
		return "", false
	case name == "":
		name = f.Name
	}
	return name, ok && !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")
}

// fields are those of a struct that have a name in a file, in their order.
type fields struct {
	names    []string
	required []string
	byName   map[string]reflect.StructField
}

var known sync.Map // from reflect.Type to *fields: hooks are many, and of one type

func fieldsOf(t reflect.Type) *fields {
	if f, ok := known.Load(t); ok {
		return f.(*fields)
	}
	all := &fields{byName: map[string]reflect.StructField{}}
	for _, f := range reflect.VisibleFields(t) {
		name, required := jsonName(f)
		if name == "" {
			continue
		}
		all.names = append(all.names, name)
		all.byName[name] = f
		if required {
			all.required = append(all.required, name)
		}
	}
	known.Store(t, all)
	return all
}

// didYouMean is a suggestion to append to a message, or nothing.
func didYouMean(word string, known []string) string {
	best, least := "", max(1, len(word)/3)
	for _, k := range known {
		if d := distance(strings.ToLower(word), k, least); d <= least && (best == "" || d < least) {
			best, least = k, d
		}
	}
	if best == "" || best == word {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// distance is how many letters must be inserted, dropped, replaced or swapped
// with their neighbour, or something above most if it is more than that.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last = last, row
		row = make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
