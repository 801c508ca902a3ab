package canonical

// Plain turns what a YAML reader makes into what a JSON reader would have made:
// integers of one type.
func Plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = Plain(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Plain(e)
		}
		return out
	case int:
		return int64(v)
	case uint64:
		if int64(v) >= 0 {
			return int64(v)
		}
	}
	return v
}
