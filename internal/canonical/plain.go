package canonical

// Map copies a JSON value, and applies leaf to everything in it that is neither
// an object nor a list.
func Map(v any, leaf func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = Map(e, leaf)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Map(e, leaf)
		}
		return out
	}
	return leaf(v)
}

// MapTexts is Map for the texts alone.
func MapTexts(v any, text func(string) string) any {
	return Map(v, func(v any) any {
		if s, ok := v.(string); ok {
			return text(s)
		}
		return v
	})
}

// Plain turns what a YAML reader makes into what a JSON reader would have made:
// integers of one type.
func Plain(v any) any {
	return Map(v, func(v any) any {
		switch v := v.(type) {
		case int:
			return int64(v)
		case uint64:
			if int64(v) >= 0 {
				return int64(v)
			}
		}
		return v
	})
}
