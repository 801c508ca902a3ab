package main

import (
	"strings"
	"testing"
	"time"
)

// MCP-80: the measurement fails where the proxy adds more than it may.
func TestReport(t *testing.T) {
	rounds := func(micros ...int) [][]time.Duration {
		var out [][]time.Duration
		for _, m := range micros {
			d := time.Duration(m) * time.Microsecond
			out = append(out, []time.Duration{d, d, d})
		}
		return out
	}
	if all := rounds(40, 30, 100, 300, 400); report(all, all) != nil {
		t.Error("what is fast enough was not")
	}
	if all := rounds(40, 30, 200, 300, 541); report(all, all) == nil || strings.Count(report(all, all).Error(), "adds") != 2 {
		t.Error("what is too slow was not")
	}
}

// The server of the measurement answers what clients ask.
func TestServe(t *testing.T) {
	var out strings.Builder
	serve(strings.NewReader(hello+"\n"+ready+"\n"+list+"\n"+strings.ReplaceAll(call, "%[1]d", "7")+"\n"), &out, 0)
	if got := out.String(); strings.Count(got, "\n") != 3 || !strings.Contains(got, `{"jsonrpc":"2.0","id":7,"result":{"content"`) {
		t.Error(got)
	}
}
