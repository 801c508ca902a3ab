package model

import (
	"reflect"
	"testing"
)

// TestAddLeavesTheOther proves that runs which share their arguments are listed behind
// others with each argument moved once, and that the other set stays as it was.
func TestAddLeavesTheOther(t *testing.T) {
	words := []Word{{Text: "rm"}, {Text: "x", Uses: Span{From: 0, To: 1}}}
	env := []Assign{{Name: "A", Value: Word{Uses: Span{From: 0, To: 1}}}}
	other := Set{Runs: []Run{{Program: "sudo", Args: words, Env: env, By: -1, From: -1}, {Program: "rm", Args: words[1:], Env: env, From: -1}}}
	set := Set{Runs: make([]Run, 3)}
	set.Add(&other)
	want := Span{From: 3, To: 4}
	for _, r := range set.Runs[3:] {
		if got := r.Args[len(r.Args)-1].Uses; got != want || r.Env[0].Value.Uses != want {
			t.Errorf("%s uses %v and %v", r.Program, got, r.Env[0].Value.Uses)
		}
	}
	if words[1].Uses.From != 0 || env[0].Value.Uses.From != 0 {
		t.Error("the other set has changed")
	}
}

// A list of Set that Add forgets would hide what the second command does.
func TestAddForgetsNoList(t *testing.T) {
	var s, o Set
	fields := reflect.ValueOf(&o).Elem()
	for i := range fields.NumField() {
		if f := fields.Field(i); f.Kind() == reflect.Slice && f.CanSet() {
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		}
	}
	s.Add(&o)
	s.Add(&o)
	for i := range fields.NumField() {
		if f := reflect.ValueOf(s).Field(i); f.Kind() == reflect.Slice && f.Len() != 2 {
			t.Errorf("%s has %d elements", fields.Type().Field(i).Name, f.Len())
		}
	}
}
