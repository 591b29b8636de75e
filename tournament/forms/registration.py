"""Forms of registration: the public one, one's own entry, and what the organizer sets."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.domain.pasting import clean_name
from tournament.domain.registration import Applicant, open_events
from tournament.enums import Ask
from tournament.forms.entries import HAS_NO_NAME
from tournament.models import Registration
from tournament.models.registration import ASKED
from tournament.validators import check_phone

LEAST_SECONDS = 2
"""Nobody fills the form in faster; programs do."""
MOST_SECONDS = 24 * 3600
SALT = "tournament.registration"
OLDEST = 1900


def new_ticket() -> str:
    """A form's number, signed with the time it was made: it counts once (stack fact 6)."""
    return signing.TimestampSigner(salt=SALT).sign(uuid.uuid4().hex)


class MomentInput(forms.DateTimeInput):
    """The browser's own calendar and clock."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


def _fields(registration: Registration) -> dict[str, forms.Field]:
    """The fields that the organizer switched on, in the order of `ASKED`."""
    possible: dict[str, forms.Field] = {
        "unit": forms.CharField(label=_("代表单位"), max_length=60),
        "phone": forms.CharField(
            label=_("手机号"),
            max_length=20,
            validators=[check_phone],
            help_text=_("只有组织者看得到。"),
            widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
        ),
        "mail": forms.EmailField(
            label=_("邮箱"),
            help_text=_("只用来通知您比赛的事，例如候补转正。"),
            widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        ),
        "birth_year": forms.IntegerField(
            label=_("出生年份"), min_value=OLDEST, max_value=timezone.now().year
        ),
        "note": forms.CharField(
            label=_("备注"),
            max_length=200,
            help_text=_("例如行动不便、想坐靠近门口的桌。只有组织者看得到。"),
            widget=forms.Textarea(attrs={"rows": 3}),
        ),
    }
    asked = {name: registration.asks(name) for name in ASKED}
    for name, ask in asked.items():
        possible[name].required = ask == Ask.MUST
    return {name: possible[name] for name in ASKED if asked[name] != Ask.NO}


class OwnForm(forms.Form):
    """A name and what else the organizer asks."""

    name = forms.CharField(
        label=_("姓名"),
        max_length=60,
        error_messages={"required": HAS_NO_NAME},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def __init__(
        self, *args: Any, registration: Registration, asks_events: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.registration = registration
        self.fields.update(_fields(registration))
        competition = registration.competition
        if asks_events and competition.events.count() > 1:
            found, limit = open_events(competition), competition.events_limit
            self.fields["events"] = forms.TypedMultipleChoiceField(
                label=_("参加的项目"),
                coerce=int,
                choices=[(one.pk, one.name) for one in found],
                initial=[one.pk for one in found] if len(found) == 1 else None,
                widget=forms.CheckboxSelectMultiple,
                help_text=_("每人最多报 %(n)d 项。") % {"n": limit} if limit else "",
                error_messages={
                    "required": _("请至少选一个项目。"),
                    "invalid_choice": _("这个项目刚刚停止报名，请选列出的项目。"),
                },
            )

    def clean_name(self) -> str:
        """One spelling; nothing but blanks is no name."""
        name = clean_name(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(HAS_NO_NAME)
        return name

    def applicant(self) -> Applicant:
        """What was said. Needs a valid form."""
        data = self.cleaned_data
        said = {name: data[name] for name in ASKED if name in data}
        return Applicant(name=data["name"], events=tuple(data.get("events", ())), **said)


class RegisterForm(OwnForm):
    """The public form. `asks_again` shows “是另一个人”, which is asked only after a warning.

    `website` is hidden from people; what fills it in is a program. No address is ever locked
    out: a whole hall shares one (stack fact 5).
    """

    website = forms.CharField(label=_("网站（请留空）"), required=False)
    ticket = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, asks_again: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, asks_events=True, **kwargs)
        if self.registration.consent:
            self.fields["agrees"] = forms.BooleanField(
                label=_("我已看过并同意上面的文字"),
                error_messages={"required": _("要同意上面的文字才能报名。")},
            )
        if asks_again:
            self.fields["is_another"] = forms.BooleanField(label=_("是另一个人"), required=False)
        self.key = ""

    def clean_website(self) -> str:
        """Has to stay empty."""
        if self.cleaned_data["website"]:
            raise forms.ValidationError(_("这一格请留空，再按一次“报名”。"))
        return ""

    def clean(self) -> dict[str, Any]:
        """The ticket is ours, not from a moment ago and not from yesterday."""
        data = super().clean() or {}
        ticket = data.get("ticket", "")
        signer = signing.TimestampSigner(salt=SALT)
        try:
            self.key = signer.unsign(ticket, max_age=MOST_SECONDS)
        except signing.BadSignature:
            self.renew_ticket()
            raise forms.ValidationError(
                _("这一页打开太久了，请再按一次“报名”，填的都还在。")
            ) from None
        if _age(ticket) < LEAST_SECONDS:
            raise forms.ValidationError(_("按得太快了，请再按一次“报名”，填的都还在。"))
        return data

    def renew_ticket(self) -> None:
        """The page that is shown again counts as a new request."""
        self.data = {**{name: self.data[name] for name in self.data}, "ticket": new_ticket()}

    @property
    def shown(self) -> list[forms.BoundField]:
        """The fields that people fill in, before the consent and the question asked again."""
        kept = ("website", "ticket", "agrees", "is_another")
        return [self[name] for name in self.fields if name not in kept]

    @property
    def is_another_asked(self) -> forms.BoundField | None:
        """“是另一个人”, once it is asked."""
        return self["is_another"] if "is_another" in self.fields else None


def _age(ticket: str) -> float:
    try:
        signing.TimestampSigner(salt=SALT).unsign(ticket, max_age=LEAST_SECONDS)
    except signing.SignatureExpired:
        return LEAST_SECONDS
    return 0


class RegistrationForm(forms.ModelForm):
    """What the organizer sets."""

    class Meta:
        model = Registration
        fields = (
            "is_on", "opens_at", "closes_at", "auto_confirm",
            "ask_unit", "ask_phone", "ask_mail", "ask_birth_year", "ask_note",
            "consent", "fee",
        )  # fmt: skip
        widgets = {
            "opens_at": MomentInput(),
            "closes_at": MomentInput(),
            "consent": forms.Textarea(attrs={"rows": 5}),
        }
        help_texts = {
            "is_on": _("打开以后，比赛页面上有“我要报名”。每个项目抽签（冻结名单）以后自动停止。"),
            "opens_at": _("按比赛的时区。不填就是现在。"),
            "closes_at": _("按比赛的时区。不填就一直到抽签。"),
            "auto_confirm": _("不勾的话，每份报名都等您点“确认”。"),
            "consent": _("例如肖像、个人信息的使用。填了，报名时就必须勾选同意。"),
            "fee": _("例如“报名费 30 元，现场交”。这里只记交没交，不收钱。"),
        }
