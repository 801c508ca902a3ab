package rule

import (
	"fmt"
	"math"
	"reflect"
)

// toJSON turns a result into what a tool's arguments are made of: nil, bool,
// string, int64, uint64, float64, []any and map[string]any.
func toJSON(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, int64, uint64:
		return v, nil
	case int:
		return int64(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the result %v is not a number that JSON can hold", v)
		}
		return v, nil
	}
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Slice:
		out := make([]any, r.Len())
		for i := range out {
			var err error
			if out[i], err = toJSON(r.Index(i).Interface()); err != nil {
				return nil, err
			}
		}
		return out, nil
	case r.Kind() == reflect.Map && r.Type().Key().Kind() == reflect.String:
		out := make(map[string]any, r.Len())
		for _, key := range r.MapKeys() {
			e, err := toJSON(r.MapIndex(key).Interface())
			if err != nil {
				return nil, err
			}
			out[key.String()] = e
		}
		return out, nil
	}
	return nil, fmt.Errorf("the result is not a value (%T), expected text, a number, true or false, a list or a map", v)
}
