package detect

import "testing"

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"import shutil; shutil.rmtree('/x')":              "python",
		"from os import remove\nremove('x')":              "python",
		"open('x').read()":                                "python",
		"require('fs').rmSync('/x')":                      "node",
		"[1, 2].map(x => x * 2)":                          "node",
		"FileUtils.rm_rf('/x')":                           "ruby",
		"File.rm_rf!(\"/x\")":                             "elixir",
		"<?php system('ls');":                             "php",
		"os.execute('ls')":                                "lua",
		"unlink('/x', recursive=TRUE)":                    "r",
		"use File::Path; rmtree('/x');":                   "perl",
		"std::fs::remove_dir_all(\"/x\")":                 Unknown,
		"f(g)(x)":                                         Unknown,
		"rm -rf ~":                                        "",
		"import -window root shot.png":                    "",
		"f() { ls; }; f":                                  "",
		"echo $(date) <(ls) $((1+(2)))":                   "",
		`awk '{ print substr($1, 2) }' x`:                 "",
		`git commit -m "fix(rm): call f(x)"`:              "",
		"case $x in a) ls;; esac; for ((;;)); do :; done": "",
		"a=(1 2); ls !(x) @(a|b)":                         "",
		"(":                                               "", "": "", "\\": "", "'": "",
	} {
		if got := Of(text); got != want {
			t.Errorf("%s: found %q, expected %q", text, got, want)
		}
	}
}

func TestStore(t *testing.T) {
	for text, want := range map[string]string{"DROP DATABASE shop;": "sql", "FLUSHALL": "redis", "db.users.drop()": "mongo", "select 1": "",
		"ls": ""} {
		if got := Store(text); got != want {
			t.Errorf("%s: found %q, expected %q", text, got, want)
		}
	}
}
