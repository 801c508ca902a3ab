package server

import "testing"

// A decision is read in one way only.
func TestDecode(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"nonce":"n","digest":"d","decision":"approve"}`:                           true,
		`{"nonce":"n","digest":"d","decision":"approve","arguments":{"a":1}}`:       true,
		`{"nonce":"n","digest":"d","decision":"reject","decision":"approve"}`:       false,
		`{"nonce":"n","digest":"d","decision":"reject","\u0064ecision":"approve"}`:  false,
		`{"Nonce":"n","digest":"d","decision":"approve"}`:                           false,
		`{"nonce":"n","digest":"d","decision":"approve","arguments":{"a":1,"a":2}}`: false,
		`{"nonce":"n","digest":"d","decision":"approve"} {"decision":"reject"}`:     false,
		`{"nonce":"n","digest":"d","decision":"approve","more":1}`:                  false,
		`[]`: false, ``: false, `"x"`: false,
		"{\"nonce\":\"\xff\"}": false,
	} {
		var d Decision
		if err := decode([]byte(text), &d); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
