package sql

import "testing"

func TestOpens(t *testing.T) {
	for text, want := range map[string]bool{
		"grant all on database prod to public":                      true,
		"GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'":                    true,
		"grant all on app.* to 'app'@'localhost'":                   false,
		"grant all privileges on database app to app":               false,
		"grant pg_execute_server_program to app":                    true,
		"grant select on orders to public":                          false,
		"create role x superuser login":                             true,
		"alter user x with nosuperuser":                             false,
		"create user app with password 'superuser'":                 false,
		"select 1; alter table users disable row level security":    true,
		"alter table users enable row level security":               false,
		"alter system set listen_addresses = '*'":                   true,
		"alter system set listen_addresses = 'localhost'":           false,
		"alter system set work_mem = '64MB'":                        false,
		"alter server role sysadmin add member x":                   true,
		"alter login sa enable":                                     true,
		"exec sp_addsrvrolemember 'x', 'sysadmin'":                  true,
		"do $$ begin grant all on schema public to public; end $$;": true,
		"select 'grant all on database prod to public'":             false,
	} {
		if _, got := Opens(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
