package sql_test

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/sql"
)

func TestDestroys(t *testing.T) {
	for text, want := range map[string]bool{
		"drop table users":                                             true,
		"DROP TABLE IF EXISTS users":                                   true,
		"select 1; drop database x":                                    true,
		"-- drop table users":                                          false,
		"/* drop table x */ select 1":                                  false,
		"/*!40000 drop table x */":                                     true,
		"select 'drop table x'":                                        false,
		`select "drop table x"`:                                        false,
		"select $$drop table x$$":                                      false,
		"select $a$ drop table x $a$":                                  false,
		"insert into t values ('a;drop table b')":                      false,
		"insert into t values ('it''s; drop table')":                   false,
		"truncate t":                                                   true,
		"truncate table t":                                             true,
		"select truncate(1.5, 1)":                                      false,
		"delete from t":                                                true,
		"delete from t where id = 1":                                   false,
		"delete from t where true":                                     true,
		"delete from t where 1 = 1":                                    true,
		"with x as (select 1) delete from t":                           true,
		"update t set a = 1":                                           true,
		"update t set a = 1 where b = 2":                               false,
		"select * from t for update":                                   false,
		"create table t (id int references u on delete cascade)":       false,
		"alter table t drop column c":                                  true,
		"alter table t drop constraint c":                              false,
		"drop index i":                                                 false,
		"drop view v":                                                  false,
		"do $$ begin execute 'drop table t'; end $$":                   true,
		"do $$ begin if x then truncate t; end if; end $$":             true,
		"do $$ begin raise notice 'drop table t'; end $$":              false,
		"do 'begin drop table t; end'":                                 true,
		"do language plpgsql 'begin execute ''drop table t''; end'":    true,
		"do 'begin raise notice ''no''; end'":                          false,
		"do $$ begin null; end $$; drop table t":                       true,
		"$!/$ *do`":                                                    false, // it was read without end
		strings.Repeat("do $$ begin null; end $$; ", 64):               false, // each twice, once
		strings.Repeat("do $$", 1<<15):                                 true,
		strings.Repeat("do '", 1<<15):                                  true,
		"explain delete from t":                                        false,
		"set @s = 'drop table t'; prepare x from @s; execute x":        true,
		"set @s = concat('dr', 'op table ', 't'); prepare x from @s":   true,
		"prepare x from 'delete from t'":                               true,
		"prepare x as delete from t":                                   true,
		"prepare x as delete from t where id = $1":                     false,
		"prepare x as select 1; insert into l values ('drop table t')": false,
		"select format('drop table %I', n) from t \\gexec":             true,
		"select format('analyze %I', n) from t \\gexec":                false,
		"exec sp_executesql N'drop table t'":                           true,
		"declare @s nvarchar(9) = 'truncate table t'; exec(@s)":        true,
		"begin execute immediate 'drop table ' || 't'; end;":           true,
		"do $$ begin execute (select string_agg(format($f$drop table %I$f$, n), ';') from t); end $$": true,
		"do $$ begin execute format('analyze %I', 't'); raise notice 'drop table t'; end $$":          false,
		"create trigger a after insert on t execute function f('drop table x')":                       false,
		"create function f() returns int as $$ begin execute 'drop table t'; end $$ language plpgsql": false,
		"":    false,
		";;;": false,
		"'":   false,
		"/*":  false,
		"$$":  false,
	} {
		if _, got := sql.Destroys(text); got != want {
			t.Errorf("%q destroys data: %v", text, got)
		}
	}
}

func FuzzDestroys(f *testing.F) {
	f.Add("drop table x; -- '")
	f.Add("$!/$ *Do`\x13\xd2\xf2nk\x9f Y'")
	f.Add("$a$ /*! \" ` '")
	f.Fuzz(func(t *testing.T, text string) { sql.Destroys(text) })
}
