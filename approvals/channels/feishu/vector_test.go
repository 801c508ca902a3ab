package feishu

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

const click = "AAECAwQFBgcICQoLDA0OD0hUzH6WzN4TRAp8Fm9QOzxPMr5insgMwVOCOrC4AXaMmefS1mIT4JUQw9PnKdtQ8wyVtROYjsDiK2GR61z8rXlCgIzhv27uKUvX" +
	"XER4W/emEifLTCus6RhgxyV9cKi7ZE6V9VEMKVdEsF0R42dEvl2Zh8sKC5n/HgCpsvSgg5moI62grwNY1/Fnr9EMzX4f3W2wkvZW1TAhDikIm/5RBlECgqGZ" +
	"UwL6sHpWYflmwWwQH6Isn694gveE/FY/4nwq3LKUanUNNLKW7l40gSB2Muk3DO2qB/Reo+q+bW0KScagyW50kR7CnLr4qR2ULZUTF+A3z1I2NUR0moczrN4L" +
	"7+T4kAs5EVWIwfbquPufMuuOicHj0t7CozyuUDJT39Es5+Yi0wAk3S7wJilSaffE+IMUHvi6eb9fLDI77zCej4UV/PTAYSlcll+m0dAbebBs+/TZXLjSsdPd" +
	"LpQqQ3s0WJUrbtMDwID951BVfF9CsUDZfAP7JeGQVddS6gk6mGNQQar1ssJnz8TuZ/tb8V52R+A/TH3LPgXwppEX+A2+UUcMigiAJgJ0+mkNBW7S/91s089t" +
	"O/Udilw2FogkkfOJcs3L6uTevR4TLWUnetIu7RF5wLHhOc+srnMvG/dffXSSWdkAOOaJwDzIgAr8UqWabiU="

const question = "AAECAwQFBgcICQoLDA0OD72cutQYOCqJU3ykZwRHCQ6gHAy1qt5rKaxLK9N0J0HbSO/5j2+KI3Sb7VzcdD/eXCLJkKa4TGy9yrXWGe3MrO4NFW" +
	"OMcklHhftzBVOjVTDG"

// The vendor's examples, and ours (FIM-32).
func TestVectors(t *testing.T) {
	if got, err := decrypt("test key", "P37w+VZImNgPEO1RBhJ6RtKl7n6zymIbEG1pReEzghk="); err != nil || string(got) != "hello world" {
		t.Errorf("%q %v", got, err)
	}
	body := []byte(`{"ping":"pong"}`)
	if got := signature2("1700000000", "abc", "secret", body); got != "233356a7f125e8e4d17abc2260c429744f5a2147b2a78ea4d0ab63e334aadb7f" {
		t.Error(got)
	}
	if got := signature1("1700000000", "abc", "vtoken", body); got != "8074520135f8b6fed8ff1af1ecc1561d4f737293" {
		t.Error(got)
	}
	if got, err := decrypt("ek-123", question); err != nil ||
		string(got) != `{"challenge":"ajls384kdjx98XX","token":"vtok","type":"url_verification"}` {
		t.Errorf("%q %v", got, err)
	}
	got, err := decrypt("ek-123", click)
	var in callback
	if err != nil || json.Unmarshal(got, &in) != nil || in.Header.Token != "vtok" || in.Event.Operator.OpenID != "ou_1" {
		t.Errorf("%q %v", got, err)
	}
	raw := []byte(`{"encrypt":"` + click + `"}`)
	if got := signature2("1700000000", "nonce1", "ek-123", raw); got != "cece3c962982fa135ee3166dab781aeefb1df36efccdbea7577c97606051a40e" {
		t.Error(got)
	}
}

// The encrypted click of the vectors is read as what it is (FIM-27).
func TestEncryptedClick(t *testing.T) {
	f := &feishu{options: options{AppID: "cli_x", Chat: "oc_1", ChatType: "chat_id"}, verify: "vtok", key: "ek-123",
		env: &channels.Env{Now: func() time.Time { return time.Unix(1_700_000_100, 0) }}}
	h := http.Header{}
	h.Set("x-lark-request-timestamp", "1700000000")
	h.Set("x-lark-request-nonce", "nonce1")
	h.Set("x-lark-signature", "cece3c962982fa135ee3166dab781aeefb1df36efccdbea7577c97606051a40e")
	d, _, err := f.VerifyAndParse(t.Context(), &channels.Callback{Header: h, Body: []byte(`{"encrypt":"` + click + `"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if d.Approval != "C1" || !d.Approve || d.Identity != "feishu:ou_1" || d.Ref != "om_1" || d.Target != "oc_1" {
		t.Errorf("%+v", d)
	}
	_, reply, err := f.VerifyAndParse(t.Context(), &channels.Callback{Header: http.Header{}, Body: []byte(`{"encrypt":"` + question + `"}`)})
	if err != nil || string(reply.Body) != `{"challenge":"ajls384kdjx98XX"}` {
		t.Errorf("%v %v", reply, err)
	}
}

// Damaged texts are refused: no base64, half a block, wrong padding, nothing.
func TestDecryptRefuses(t *testing.T) {
	for _, text := range []string{"", "%%", "AAAA", "AAECAwQFBgcICQoLDA0ODw==", click[:len(click)-4], click[:40]} {
		if got, err := decrypt("ek-123", text); !errors.Is(err, errDecrypt) {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got, err := decrypt("another", click); err == nil {
		t.Errorf("another key gives %q", got)
	}
	for _, bad := range [][]byte{{1, 2, 3, 0}, {1, 2, 3, 17}, {1, 3, 2, 3}} {
		if _, err := unpad(append(make([]byte, 12), bad...)); err == nil {
			t.Errorf("the padding of %v was taken", bad)
		}
	}
}
