package layers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// enforcement 17: nothing in the environment moves the directories.
func TestSystemIsThatOfTheAccount(t *testing.T) {
	before, err := System()
	if err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{before.Machine, before.User, before.State, before.Cache} {
		if !filepath.IsAbs(dir) || !strings.Contains(dir, "trammel") {
			t.Errorf("found %q", dir)
		}
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "ProgramData", "APPDATA",
		"LOCALAPPDATA", "USERPROFILE", "USER", "LOGNAME", "TRAMMEL_MACHINE", "TRAMMEL_USER_CONFIG", "TRAMMEL_STATE"} {
		t.Setenv(name, t.TempDir())
	}
	if after, err := System(); err != nil || after != before {
		t.Errorf("%+v, %v; expected %+v", after, err, before)
	}
}

func TestUse(t *testing.T) {
	t.Cleanup(func() { Use("", "") })
	user, state := filepath.Join(t.TempDir(), "config"), filepath.Join(t.TempDir(), "state")
	if Use("config", state) == nil || Use(user, "state") == nil {
		t.Error("a relative path was taken")
	}
	if err := Use(user, state); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(Flags(), " "); got != UserFlag+" "+user+" "+StateFlag+" "+state {
		t.Errorf("flags %s", got)
	}
	d, err := System()
	if err != nil || d.User != user || d.State != state || !within(d.Cache, state) || !d.Named {
		t.Errorf("%+v, %v", d, err)
	}
	// What a wiring names has to be there.
	for _, dir := range []string{user, state} {
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Find(d, t.TempDir()); err == nil {
			t.Errorf("a file in the place of %s is taken", dir)
		}
		os.Remove(dir)
		if _, err := Find(d, t.TempDir()); err == nil || !strings.Contains(err.Error(), "trammel init") {
			t.Errorf("before %s is there: %v", dir, err)
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Find(d, t.TempDir()); err != nil {
		t.Error(err)
	}
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
