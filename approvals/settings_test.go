package approvals_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// Nobody, fewer than none, and what would silently count as something else.
func TestSettingsAtTheirLimits(t *testing.T) {
	people := map[string][]string{"al": {"slack:T/al"}, "bo": {"slack:T/bo"}}
	groups := map[string][]string{"both": {"al", "bo"}, "one": {"al", "al"}, "none": {}}
	for name, c := range map[string]struct {
		settings approvals.Settings
		terms    approvals.Terms
		ok       bool
	}{
		"the defaults":                    {ok: true},
		"a group":                         {terms: approvals.Terms{Approvers: []string{"group:both"}, Quorum: 2, DenyAt: 2}, ok: true},
		"a person twice":                  {terms: approvals.Terms{Approvers: []string{"group:one", "al"}, Quorum: 2}},
		"an empty group":                  {terms: approvals.Terms{Approvers: []string{"al", "group:none"}}},
		"a group without a name":          {terms: approvals.Terms{Approvers: []string{"al", "group:"}}},
		"a group in capitals":             {terms: approvals.Terms{Approvers: []string{"GROUP:both"}}},
		"a list of nobody":                {terms: approvals.Terms{Approvers: []string{}}},
		"no name":                         {terms: approvals.Terms{Approvers: []string{""}}},
		"no factors":                      {terms: approvals.Terms{Factors: []store.Factor{}}},
		"a factor of nobody":              {terms: approvals.Terms{Factors: []store.Factor{{N: 1}}}},
		"none of a factor":                {terms: approvals.Terms{Factors: []store.Factor{{Approvers: []string{"al"}}}}},
		"fewer than none":                 {terms: approvals.Terms{Approvers: []string{"al"}, Quorum: -1}},
		"more than there are":             {terms: approvals.Terms{Approvers: []string{"group:both"}, Quorum: 3}},
		"rejected by nobody":              {terms: approvals.Terms{Approvers: []string{"al"}, DenyAt: -1}},
		"rejected by too many":            {terms: approvals.Terms{Approvers: []string{"al"}, DenyAt: 2}},
		"steps of no length":              {terms: approvals.Terms{Approvers: []string{"al"}, Escalate: [][]string{{"bo"}}}},
		"steps of less than none":         {terms: approvals.Terms{Escalate: [][]string{{"bo"}}, Every: -time.Minute}},
		"a step of nobody":                {terms: approvals.Terms{Approvers: []string{"al"}, Escalate: [][]string{{}}, Every: time.Minute}},
		"a step of strangers":             {terms: approvals.Terms{Approvers: []string{"al"}, Escalate: [][]string{{"cy"}}, Every: time.Minute}},
		"a step":                          {ok: true, terms: approvals.Terms{Escalate: [][]string{{"bo"}}, Every: 1, DenyAt: 2}},
		"no such channel":                 {terms: approvals.Terms{Channels: []string{"x"}}},
		"no identity":                     {settings: approvals.Settings{People: map[string][]string{"cy": {}}}},
		"an empty identity":               {settings: approvals.Settings{People: map[string][]string{"cy": {""}}}},
		"an identity of no kind":          {settings: approvals.Settings{People: map[string][]string{"cy": {"cy"}}}},
		"an identity of nobody":           {settings: approvals.Settings{People: map[string][]string{"cy": {"slack:"}}}},
		"an identity in blanks":           {settings: approvals.Settings{People: map[string][]string{"cy": {"slack:T/al "}}}},
		"an identity twice":               {settings: approvals.Settings{People: map[string][]string{"cy": {"slack:T/al"}}}},
		"an identity of one's own, twice": {settings: approvals.Settings{People: map[string][]string{"cy": {"slack:T/cy", "slack:T/cy"}}}},
		"somebody without a name":         {settings: approvals.Settings{People: map[string][]string{"": {"slack:T/cy"}}}},
		"somebody called local":           {settings: approvals.Settings{People: map[string][]string{"local": {"slack:T/cy"}}}},
		"somebody called a group":         {settings: approvals.Settings{People: map[string][]string{"group:x": {"slack:T/cy"}}}},
		"a group of strangers":            {settings: approvals.Settings{Groups: map[string][]string{"x": {"dy"}}}},
		"a group in a group":              {settings: approvals.Settings{Groups: map[string][]string{"x": {"group:both"}}}},
		"a short key":                     {settings: approvals.Settings{Trust: []string{"ed25519:AAAA"}}},
		"no key":                          {settings: approvals.Settings{Trust: []string{""}}},
		"an authority of no form":         {settings: approvals.Settings{Authority: []string{"al"}}},
	} {
		s := c.settings
		s.People, s.Groups = maps.Clone(people), maps.Clone(groups)
		maps.Copy(s.People, c.settings.People)
		maps.Copy(s.Groups, c.settings.Groups)
		if err := s.Check(&c.terms); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a hook says goes before what the settings say, and changes nothing in
// them: they are everybody's.
func TestMerged(t *testing.T) {
	two := []store.Factor{{Approvers: []string{"al"}, N: 1}, {Approvers: []string{"bo"}, N: 1}}
	for name, c := range map[string]struct {
		settings, hook, want approvals.Terms
	}{
		"defaults": {approvals.Terms{}, approvals.Terms{}, approvals.Terms{}},
		"settings": {approvals.Terms{Approvers: []string{"al"}, Window: time.Hour, Mode: "park"}, approvals.Terms{},
			approvals.Terms{Approvers: []string{"al"}, Window: time.Hour, Mode: "park"}},
		"hook": {approvals.Terms{Approvers: []string{"al", "bo"}, Quorum: 2}, approvals.Terms{Approvers: []string{"cy"}, Quorum: 1},
			approvals.Terms{Approvers: []string{"cy"}, Quorum: 1}},
		"a hook's people instead of factors": {approvals.Terms{Factors: two}, approvals.Terms{Approvers: []string{"cy"}},
			approvals.Terms{Approvers: []string{"cy"}}},
		"a hook's quorum of the settings' people": {approvals.Terms{Approvers: []string{"al", "bo"}}, approvals.Terms{Quorum: 2},
			approvals.Terms{Approvers: []string{"al", "bo"}, Quorum: 2}},
		"factors of the settings": {approvals.Terms{Factors: two}, approvals.Terms{Comment: true}, approvals.Terms{Factors: two, Comment: true}},
		"the rest of the settings": {approvals.Terms{OnTimeout: "keep", Every: time.Minute, Channels: []string{"ops"}},
			approvals.Terms{}, approvals.Terms{OnTimeout: "keep", Every: time.Minute, Channels: []string{"ops"}}},
		"the rest of the hook": {approvals.Terms{OnTimeout: "keep", Every: time.Minute, Channels: []string{"ops"}},
			approvals.Terms{OnTimeout: "deny", Every: time.Hour, Channels: []string{"desk"}},
			approvals.Terms{OnTimeout: "deny", Every: time.Hour, Channels: []string{"desk"}}},
		"factors of the hook": {approvals.Terms{Approvers: []string{"al"}}, approvals.Terms{Factors: two}, approvals.Terms{Factors: two}},
	} {
		want := c.want
		if want.Expires = approvals.DefaultExpires; want.Window == 0 {
			want.Window = approvals.DefaultWindow
		}
		if want.Hold = approvals.DefaultHold; want.Mode == "" {
			want.Mode = "auto"
		}
		s := approvals.Settings{Terms: c.settings}
		before := slices.Clone(s.Terms.Approvers)
		if got := s.Merged(&c.hook); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
		if !slices.Equal(s.Terms.Approvers, before) {
			t.Errorf("%s: the settings have changed to %v", name, s.Terms.Approvers)
		}
	}
}

// Settings that could never work are refused when they are read.
func TestSettingsThatCannotWork(t *testing.T) {
	people := map[string][]string{"al": {"slack:T/al"}, "bo": {"slack:T/bo"}}
	for want, s := range map[string]approvals.Settings{
		"there are only 2":   {People: people, Terms: approvals.Terms{Approvers: []string{"al", "bo"}, Quorum: 3}},
		"no approver \"cy\"": {People: people, Terms: approvals.Terms{Approvers: []string{"cy"}}},
		"no group \"x\"":     {People: people, Terms: approvals.Terms{Approvers: []string{"al", "group:x"}}},
		"the same identity":  {People: map[string][]string{"al": {"os:1"}, "bo": {"os:1"}}},
		"who is not in":      {People: people, Groups: map[string][]string{"g": {"cy"}}},
		"it is reserved":     {People: map[string][]string{"local": {"os:1"}}},
		"no channel":         {Terms: approvals.Terms{Channels: []string{"slack"}}},
		"not a public key":   {Trust: []string{"ed25519:AAAA"}},
		"expected key_…":     {Authority: []string{"authority:key_x"}},
	} {
		terms := s.Merged(&approvals.Terms{})
		if err := s.Check(&terms); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// What the settings name counts, and the file with the keys adds nothing to it:
// whoever can write there could add a key of theirs.
func TestKeysThatCount(t *testing.T) {
	mine, err := approvals.Seal("a long secret")
	if err != nil {
		t.Fatal(err)
	}
	here, there := make(ed25519.PublicKey, 32), append(make(ed25519.PublicKey, 31), 1)
	ring := &approvals.Keyring{Authority: mine, Servers: []ed25519.PublicKey{here}}
	trust := []string{"ed25519:" + base64.StdEncoding.EncodeToString(there)}
	me := approvals.KeyID(mine.Public)
	for name, c := range map[string]struct {
		settings           approvals.Settings
		authority, servers map[string]ed25519.PublicKey
	}{
		"nothing is named":        {approvals.Settings{}, approvals.Named(mine.Public), approvals.Named(here)},
		"a server":                {approvals.Settings{Trust: trust}, approvals.Named(mine.Public), approvals.Named(there)},
		"the key":                 {approvals.Settings{Authority: []string{me}}, approvals.Named(mine.Public), approvals.Named()},
		"another key":             {approvals.Settings{Authority: []string{"key_x"}}, approvals.Named(), approvals.Named()},
		"another key, and server": {approvals.Settings{Authority: []string{"key_x"}, Trust: trust}, approvals.Named(), approvals.Named(there)},
	} {
		keys, err := c.settings.Keys(ring)
		if err != nil || !reflect.DeepEqual(keys, approvals.Keys{Servers: c.servers, Authority: c.authority}) {
			t.Errorf("%s: %v %v", name, keys, err)
		}
	}
}

// A hook says in a line whom it asks, and for how long.
func TestDescribe(t *testing.T) {
	s := approvals.Settings{People: map[string][]string{"boss": {"slack:T/boss"}}}
	for _, c := range []struct {
		terms approvals.Terms
		want  string
	}{
		{approvals.Terms{}, "asks 1 of local, who have 10m; the call waits up to 45s, then the agent has to make it again"},
		{approvals.Terms{Mode: "park", Escalate: [][]string{{"boss"}}, Every: time.Minute, Channels: []string{"slack"}},
			"asks 1 of local, later also boss through slack, who have 10m; the agent has to make the call again"},
		{approvals.Terms{Mode: "block", OnTimeout: "keep"},
			"asks 1 of local, who have no time limit; the call waits as long as the agent lets it"},
	} {
		if got := s.Describe(&c.terms); got != c.want {
			t.Errorf("found %s\nexpected %s", got, c.want)
		}
	}
}
