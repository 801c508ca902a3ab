package sql_test

import (
	"testing"

	"github.com/trammel-dev/trammel/effects/sql"
)

func TestDisguised(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1": false,
		"select id, count(*) from t where a = 'into' group by id": false,
		"SELECT * INTO backup FROM users":                         true,
		"select pg_terminate_backend(1)":                          true,
		"select 1; drop table t":                                  true,
		"with x as (delete from t returning *) select * from x":   true,
		"select 1 /*!; drop table t */":                           true, // cannot be read to the end
		"select $$a$$; drop table t":                              true,
		"(select 1)":                                              false,
		"insert into t (a) 1":                                     false, // it does not pretend
		"":                                                        false,
	} {
		if got := sql.Disguised(text); got != want {
			t.Errorf("%s: found %v", text, got)
		}
	}
}
