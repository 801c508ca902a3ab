package windows

import (
	"bytes"
	"debug/pe"
	"testing"
)

// The library is one that others can read, too, and of one kilobyte.
func TestForwarder(t *testing.T) {
	data := forwarder("bcryptprimitives.dll", "ProcessPrng", "ADVAPI32.SystemFunction036")
	f, err := pe.NewFile(bytes.NewReader(data))
	if err != nil || len(data) != 1024 {
		t.Fatalf("%d bytes: %v", len(data), err)
	}
	text, err := f.Section(".edata").Data()
	if err != nil || !bytes.Contains(text, []byte("\x00ProcessPrng\x00ADVAPI32.SystemFunction036\x00")) {
		t.Errorf("%q: %v", text, err)
	}
}
