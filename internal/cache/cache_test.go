package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestKeysTellPartsApart(t *testing.T) {
	if Key("ab", "c") == Key("a", "bc") || Key("a") == Key("a", "") || Key("1:a") == Key("a") {
		t.Error("two keys are one")
	}
}

func TestCache(t *testing.T) {
	d := Dir{Path: filepath.Join(t.TempDir(), "a", "b"), Age: time.Hour, Most: 3}
	if _, _, ok := d.Get("k", time.Hour); ok {
		t.Error("found what was never put")
	}
	if err := d.Put("k", []byte("v")); err != nil {
		t.Fatal(err)
	}
	got, age, ok := d.Get("k", time.Minute)
	if !ok || string(got) != "v" || age > time.Minute {
		t.Errorf("%q, %v, %v", got, age, ok)
	}
	path := filepath.Join(d.Path, "k")
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("it is %v", info.Mode())
	}
	for _, ago := range []time.Duration{2 * time.Minute, -time.Hour} {
		os.Chtimes(path, time.Time{}, time.Now().Add(-ago))
		if _, _, ok := d.Get("k", time.Minute); ok {
			t.Errorf("found what is %v old", ago)
		}
	}
	os.Remove(path)
	os.Symlink("/etc/hostname", path)
	if _, _, ok := d.Get("k", time.Hour); ok {
		t.Error("followed a link")
	}
	if err := d.Put("k", []byte("again")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(path); !info.Mode().IsRegular() {
		t.Error("wrote through a link")
	}
}

func TestRoom(t *testing.T) {
	d := Dir{Path: t.TempDir(), Age: time.Hour, Most: 3}
	for i := range 6 {
		name := fmt.Sprint(i)
		if err := d.Put(name, nil); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(filepath.Join(d.Path, name), time.Time{}, time.Now().Add(time.Duration(i-100)*time.Second))
	}
	os.Chtimes(filepath.Join(d.Path, "5"), time.Time{}, time.Now().Add(-2*time.Hour))
	if err := d.Put("6", nil); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(d.Path)
	var names string
	for _, e := range entries {
		names += e.Name()
	}
	if names != "346" {
		t.Errorf("kept %s", names)
	}
}

func TestConcurrently(t *testing.T) {
	d := Dir{Path: t.TempDir(), Age: time.Hour, Most: 3}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				if err := d.Put("k", []byte(fmt.Sprint(i, i, i, i))); err != nil {
					t.Error(err)
				}
				if v, _, ok := d.Get("k", time.Hour); ok && len(v) != 7 {
					t.Errorf("half a value: %q", v)
				}
			}
		})
	}
	wg.Wait()
}
