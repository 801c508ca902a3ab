package words

import (
	"slices"
	"testing"
)

// Names come from foreign servers, and may hold any bytes.
func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string][]string{
		"deleteDBInstance": {"delete", "db", "instance"},
		"drop_table":       {"drop", "table"},
		"db.dropDatabase":  {"db", "drop", "database"},
		"delete\xff":       {"delete\ufffd"},
		"a\xffB":           {"a\ufffdb"},
		"löscheTabelle":    {"lösche", "tabelle"},
		"wipe\xf0\x9f\x97": {"wipe\ufffd\ufffd\ufffd"},
		"":                 nil,
	} {
		if got := Of(name); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, expected %q", name, got, want)
		}
	}
}
