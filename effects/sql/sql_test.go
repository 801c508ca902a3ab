package sql_test

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/sql"
)

// FIM-41: statements that only read are told from all others; doubt is not
// reading. The tables have one text a line, in which \n is a new line.
func TestOnlyReads(t *testing.T) {
	for file, want := range map[string]bool{"testdata/reads.txt": true, "testdata/others.txt": false} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			text := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\0`, "\x00", `\u00a0`, "\u00a0").Replace(line)
			if got := sql.OnlyReads(text); got != want {
				t.Errorf("%s: %s: only reads is %v", file, line, got)
			}
			if !want {
				continue
			}
			for _, more := range []string{"; delete from t", "\ndelete from t", "; -- x\ndrop table t", " into t2", " for update",
				"; select f_unknown()"} {
				if sql.OnlyReads(text + "\n" + more) {
					t.Errorf("%s only reads, and so it says of it with %q", line, more)
				}
			}
		}
	}
}

func FuzzOnlyReads(f *testing.F) {
	f.Add("select 1")
	f.Add("select [a] from t where x = 'it''s' -- done")
	f.Fuzz(func(t *testing.T, text string) {
		if sql.OnlyReads(text) && sql.OnlyReads(text+"\n;\ndelete from t") {
			t.Errorf("%q hides what follows", text)
		}
	})
}

// FilesRead finds the files that a statement reads, and no other texts.
func TestFilesRead(t *testing.T) {
	for line, want := range map[string]string{
		`select pg_read_file('/a/b')`: "/a/b", `select load_file( '/a')`: "/a", `copy t from '/c.csv' with csv`: "/c.csv",
		`from read_csv(['a.csv', 'b'])`: "a.csv", `load data local infile '/x' into table t`: "/x", `select * from 't.parquet'`: "t.parquet",
		`select x from t where name = 'from'`: "", `insert into t values ('/a')`: "", `select writefile('/a', x)`: "", `select upper('/a')`: "",
		`select '`: "",
	} {
		if got := strings.Join(sql.FilesRead(line), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
