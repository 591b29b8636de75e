"""The forms of the page of books: a new edition, and the words of certificates."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.enums import BookKind


class EditionForm(forms.Form):
    """Which book, and what is to be said of this edition."""

    kind = forms.ChoiceField(label=_("哪一本"), choices=BookKind.choices, widget=forms.RadioSelect)
    note = forms.CharField(
        label=_("这一版的说明"),
        max_length=200,
        required=False,
        help_text=_("可以不填，例如“赛前最后一版”。印在封面上。"),
    )


class CertificateForm(forms.Form):
    """The lines of a certificate that are the same on all of them; sent by GET, nothing is kept."""

    title = forms.CharField(label=_("标题"), max_length=20, initial=_("奖状"))
    text = forms.CharField(
        label=_("正文"),
        max_length=200,
        initial=_("在本次比赛中成绩优异，荣获"),
        help_text=_("名字和奖项会自动填上。"),
    )
    sign = forms.CharField(label=_("落款"), max_length=80, required=False)
    date = forms.CharField(label=_("日期"), max_length=40, required=False)
