package sql_test

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/sql"
)

// Statements of DuckDB say which files they read and write, in every way of quoting
// (code: knowledge of a program is in one place).
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"select 1":                                           "",
		"from 'a.csv' join \"b.csv\"":                        "read a.csv, read b.csv",
		"from read_csv(['a','b'], delim = '|')":              "read a, read b",
		"from/**/'a' -- from 'b'\njoin 'c'":                  "read a, read c",
		"from read_text($$a$$), read_blob($x$b$$$x$)":        "read a, read b$$",
		"copy t to 'a' (format 'parquet')":                   "write a",
		"copy (from 'a') to 's3://b/c'":                      "read a, write s3://b/c",
		"attach if not exists 'a'; export database 'b'":      "attach a, attach b",
		"load './x.so'; install httpfs from 'http://a'":      "load ./x.so, read http://a",
		"select getenv('HOME')":                              "env HOME",
		"from read_text('/a' || '/b' || 'c')":                "read /a/bc",
		"from read_text(getenv('HOME') || '/.ssh/id_rsa')":   "env HOME, read …/.ssh/id_rsa",
		"from read_text('/root/' || x)":                      "read /root/…",
		"set variable p = '/a/b'; from read_text(p)":         "read /a/b",
		"from query('from read_text(''/a/b'')')":             "read /a/b",
		"select * from t where n like '/etc/%' or n = 'x'":   "",
		"execute p('.env')":                                  "read .env",
		"from 'a":                                            "",
		"from read_text($$a":                                 "",
		"select '' || ''":                                    "",
		"select $1, $2 from t where a = 'b' -- $$/a/b$$":     "",
		"from read_text(x || '/.env') where y = '/a/b' || z": "read …/.env, read /a/b…",
	} {
		var got []string
		for _, p := range sql.Places(text) {
			switch {
			case !p.Whole && strings.HasPrefix(p.Text, "/."):
				p.Text = "…" + p.Text
			case !p.Whole:
				p.Text += "…"
			}
			got = append(got, p.Verb+" "+p.Text)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s, want %s", text, strings.Join(got, ", "), want)
		}
	}
}
