package server

import json "github.com/go-json-experiment/json"

// decode reads exactly one JSON value. It refuses unknown fields, and names that
// come twice or in other letters: another program could read them differently.
func decode(data []byte, v any) error {
	if err := json.Unmarshal(data, v, json.RejectUnknownMembers(true)); err != nil {
		return malformed("this is not the expected JSON: " + err.Error())
	}
	return nil
}
