//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// outcome is a line of the report of a run, from which the documentation of
// the hosts is made.
type outcome struct {
	Host     string  `json:"host"`
	Version  string  `json:"version"`
	Scenario string  `json:"scenario"` // group/name; only the group if none of it ran
	Result   string  `json:"result"`   // pass, fail, skip, or gap: the call ran, as is known
	Cause    string  `json:"cause,omitempty"`
	Seconds  float64 `json:"seconds"`
}

// reportFile names the file that the report goes to; none if it is empty.
var reportFile = os.Getenv("TRAMMEL_E2E_REPORT")

var reporting sync.Mutex

// newReport empties the report. A relative path counts from the repository.
func newReport() error {
	if reportFile == "" {
		return nil
	}
	if !filepath.IsAbs(reportFile) {
		path, err := filepath.Abs(filepath.Join("..", "..", reportFile))
		if err != nil {
			return err
		}
		reportFile = path
	}
	if err := os.Setenv("TRAMMEL_E2E_REPORT", reportFile); err != nil {
		return err
	}
	return os.WriteFile(reportFile, nil, 0o644)
}

// note reports the outcome of a test once it has ended; gap is the cause of a
// known gap that it has shown.
func note(t *testing.T, h host, gap string) {
	if reportFile == "" {
		return
	}
	begin := time.Now()
	t.Cleanup(func() {
		o := outcome{Host: h.name(), Version: h.packages().version(), Scenario: scenarioOf(t, h), Result: "pass",
			Seconds: time.Since(begin).Round(10 * time.Millisecond).Seconds()}
		switch {
		case t.Skipped():
			o.Result = "skip"
		case t.Failed():
			o.Result = "fail"
		case gap != "":
			o.Result, o.Cause = "gap", gap
		}
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		reporting.Lock()
		defer reporting.Unlock()
		file, err := os.OpenFile(reportFile, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.Write(append(raw, '\n')); err != nil {
			t.Fatal(err)
		}
	})
}

// scenarioOf is the name of a test without Test and the host, as people would
// write it.
func scenarioOf(t *testing.T, h host) string {
	name := strings.TrimPrefix(t.Name(), "Test")
	name = strings.Replace(name, "/"+h.name(), "", 1)
	return strings.ReplaceAll(name, "_", " ")
}
