package approvals

import (
	"os"
	"testing"
)

// A guess at the authority secret costs 64 MiB in what is shipped. make test links less.
func TestGuessingIsSlow(t *testing.T) {
	if os.Getenv("TRAMMEL_TEST_LDFLAGS") == "" && memory != "65536" {
		t.Errorf("%s KiB", memory)
	}
}
