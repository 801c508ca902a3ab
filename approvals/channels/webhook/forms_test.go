package webhook

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/store"
)

// What a decision must say, and in which form: each row replaces a part of a
// whole one.
func TestForms(t *testing.T) {
	const (
		kind    = `"type":"approval.decision"`
		id      = `"approval_id":"apr_1"`
		approve = `"decision":"approve"`
		decider = `"decider":{"id":"alice","display":"Alice"}`
		comment = `"comment":"c"`
		whole   = `{` + kind + `,"timestamp":"x","data":{` + id + `,"nonce":"n","args_sha256":"d",` + approve + `,` + decider + `,` +
			comment + `}}`
	)
	for _, c := range []struct {
		part, by string
		ok       bool
	}{
		{kind, kind, true}, {`"timestamp":"x",`, ``, true}, {`"timestamp":"x"`, `"timestamp":1e400`, false},
		{kind, `"type":"approval.requested"`, false}, {kind, `"type":""`, false}, {kind, `"type":null`, false}, {kind, `"type":1`, false},
		{kind, `"type":"Approval.Decision"`, false}, {kind, `"Type":"approval.decision"`, false}, {kind, kind + `,` + kind, false},
		{kind, kind + `,"more":1`, false}, {kind, kind + `,"edited_args":{}`, false},
		{id, `"approval_id":""`, false}, {id, `"approval_id":null`, false}, {id, `"approval_id":["apr_1"]`, false},
		{id, `"approval_id":{"id":"apr_1"}`, false}, {id, `"Approval_ID":"apr_1"`, false}, {id, id + `,` + id, false},
		{id, id + `,"аpproval_id":"apr_2"`, false},
		{approve, `"decision":"reject"`, true}, {approve, `"decision":"Approve"`, false}, {approve, `"decision":"approved"`, false},
		{approve, `"decision":" approve"`, false}, {approve, `"decision":""`, false}, {approve, `"decision":null`, false},
		{approve, `"decision":true`, false}, {approve, `"decision":["approve"]`, false}, {approve, `"x":1`, false},
		{approve, `"decision":"reject",` + approve, false}, {approve, `"decision":"approve\u0000"`, false},
		{decider, `"decider":null`, false}, {decider, `"decider":{}`, false}, {decider, `"decider":"alice"`, false},
		{decider, `"decider":[{"id":"alice"}]`, false}, {decider, `"decider":{"id":""}`, false}, {decider, `"decider":{"id":null}`, false},
		{decider, `"decider":{"id":1}`, false}, {decider, `"decider":{"ID":"alice"}`, false}, {decider, `"decider":{"display":"alice"}`, false},
		{decider, `"decider":{"id":"alice","id":"bo"}`, false}, {decider, `"decider":{"id":"alice","role":"admin"}`, false},
		{decider, `"decider":{"id":"alice"}`, true}, {decider, decider + `,` + decider, false},
		{comment, `"comment":null`, true}, {comment, `"comment":1`, false}, {comment, `"comment":["c"]`, false},
		{comment, `"edited_args":{"a":1}`, true}, {comment, `"edited_args":[1]`, false}, {comment, `"edited_args":"{}"`, false},
		{comment, `"edited_args":{"a":1,"a":2}`, false}, {comment, `"remember":{"scope":"session"}`, true},
		{comment, `"remember":{}`, false}, {comment, `"remember":true`, false}, {comment, `"remember":{"scope":""}`, false},
		{comment, `"remember":{"scope":"rule"}`, false}, {comment, `"remember":{"scope":"once"}`, false},
		{comment, `"remember":{"scope":"session","ttl_s":1}`, true}, {comment, `"remember":{"scope":"session","ttl_s":86400}`, true},
		{comment, `"remember":{"scope":"session","ttl_s":0}`, false}, {comment, `"remember":{"scope":"session","ttl_s":-1}`, false},
		{comment, `"remember":{"scope":"session","ttl_s":86401}`, false}, {comment, `"remember":{"scope":"session","ttl_s":null}`, false},
		{comment, `"remember":{"scope":"session","ttl_s":1.5}`, false}, {comment, `"remember":{"scope":"session","ttl_s":"60"}`, false},
		{whole, ``, false}, {whole, `null`, false}, {whole, `[]`, false}, {whole, `{` + kind + `}`, false}, {whole, whole + whole, false},
		{whole, `{` + kind + `,"data":null}`, false}, {whole, `{` + kind + `,"data":[]}`, false}, {whole, `{` + kind + `,"data":{}}`, false},
	} {
		text := strings.Replace(whole, c.part, c.by, 1)
		d, err := decision([]byte(text))
		switch {
		case (err == nil) != c.ok:
			t.Errorf("%s: %v", text, err)
		case c.ok && (d.Approval != "apr_1" || d.Nonce != "n" || d.Digest != "d" || d.Identity != "webhook:alice" ||
			d.Approve == strings.Contains(text, "reject") || (d.Edit != nil) != strings.Contains(text, "edited") ||
			(d.Remember != nil) != strings.Contains(text, "remember")):
			t.Errorf("%s: %+v", text, d)
		}
	}
}

// A signature counts for five minutes before and after, with an id, and only as
// it was made.
func TestSignatures(t *testing.T) {
	k, err := keys("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw whsec_QUFBQUFBQUFBQUFBQUFBQQ==")
	if err != nil {
		t.Fatal(err)
	}
	other, _ := keys("whsec_QkJCQkJCQkJCQkJCQkJCQg==")
	now, body := time.Unix(1_700_000_000, 0), []byte(`{}`)
	at := func(seconds int64) string { return strconv.FormatInt(seconds, 10) }
	const max, min = 1<<63 - 1, -1 << 63
	for _, c := range []struct {
		name, id, at, given string // given is after the signature; "-" is instead of it
		key                 []byte
		ok                  bool
	}{
		{"now", "x", at(1_700_000_000), "", k[0], true},
		{"the second key", "x", at(1_700_000_000), "", k[1], true},
		{"a key of somebody else", "x", at(1_700_000_000), "", other[0], false},
		{"several signatures", "x", at(1_700_000_000), " v1,AAAA v1a,BBBB", k[0], true},
		{"five minutes ago", "x", at(1_699_999_700), "", k[0], true},
		{"a second more", "x", at(1_699_999_699), "", k[0], false},
		{"in five minutes", "x", at(1_700_000_300), "", k[0], true},
		{"and a second", "x", at(1_700_000_301), "", k[0], false},
		{"long ago", "x", at(min), "", k[0], false},
		{"never", "x", at(max), "", k[0], false},
		{"more than that", "x", "9223372036854775808", "", k[0], false},
		{"zero", "x", "0", "", k[0], false},
		{"a part of a second", "x", "1700000000.0", "", k[0], false},
		{"in blanks", "x", " 1700000000", "", k[0], false},
		{"milliseconds", "x", "1700000000000", "", k[0], false},
		{"no time", "x", "", "", k[0], false},
		{"no id", "", at(1_700_000_000), "", k[0], false},
		{"no signature", "x", at(1_700_000_000), "-", k[0], false},
		{"another scheme", "x", at(1_700_000_000), "-v0,AAAA", k[0], false},
		{"more of it", "x", at(1_700_000_000), "A", k[0], false},
		{"an empty key", "x", at(1_700_000_000), "", []byte{}, false},
	} {
		h := http.Header{}
		h.Set(headerID, c.id)
		h.Set(headerTime, c.at)
		if given, instead := strings.CutPrefix(c.given, "-"); instead {
			h.Set(headerSignature, given)
		} else {
			h.Set(headerSignature, sign(c.key, c.id, c.at, body)+given)
		}
		id, err := verify(k, h, body, now)
		if (err == nil) != c.ok || c.ok && id != "x" {
			t.Errorf("%s: %q, %v", c.name, id, err)
		}
		if _, err := verify(nil, h, body, now); err == nil {
			t.Errorf("%s: counts without any key", c.name)
		}
	}
}

// How many are missing is told, and where to decide only if decisions are taken.
func TestWhatIsMissing(t *testing.T) {
	edited := &store.Edit{Digest: "e"}
	yes, no, other := store.Vote{Approve: true}, store.Vote{}, store.Vote{Approve: true, Edit: "e"}
	for _, c := range []struct {
		state store.State
		need  []store.Factor
		edit  *store.Edit
		votes []store.Vote
		want  int
	}{
		{store.Pending, []store.Factor{{N: 1}}, nil, nil, 1},
		{store.Pending, []store.Factor{{N: 3}}, nil, nil, 3},
		{store.Pending, []store.Factor{{N: 3}}, nil, []store.Vote{yes}, 2},
		{store.Pending, []store.Factor{{N: 3}}, nil, []store.Vote{yes, no}, 2},
		{store.Pending, []store.Factor{{N: 3}}, nil, []store.Vote{yes, other}, 2},
		{store.Pending, []store.Factor{{N: 3}}, edited, []store.Vote{yes, other}, 2},
		{store.Pending, []store.Factor{{N: 1}, {N: 2}}, nil, []store.Vote{yes}, 2},
		{store.Pending, []store.Factor{{N: 1}, {N: 1}}, nil, []store.Vote{yes, yes}, 1}, // of the wrong people
		{store.Pending, nil, nil, nil, 1},
		{store.Approved, []store.Factor{{N: 2}}, nil, []store.Vote{yes}, 0},
		{store.Rejected, []store.Factor{{N: 2}}, nil, []store.Vote{no}, 0},
	} {
		a := &store.Approval{State: c.state, Edit: c.edit, Votes: c.votes, Needs: store.Needs{Factors: c.need}}
		if got := remaining(a); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for _, in := range [][][]byte{nil, {[]byte("key")}} {
		for _, public := range []string{"", "https://x.example"} {
			w := &webhook{name: "w", in: in, env: &channels.Env{Now: time.Now, Public: public}}
			body := string(w.body("requested", &store.Approval{State: store.Pending, Needs: store.Needs{Factors: []store.Factor{{N: 2}, {N: 1}}}}))
			if has := strings.Contains(body, "decision_url"); has != (in != nil && public != "") {
				t.Errorf("%d keys, %q: %s", len(in), public, body)
			}
			if !strings.Contains(body, `"approvals":3`) {
				t.Errorf("three are needed: %s", body)
			}
		}
	}
}
