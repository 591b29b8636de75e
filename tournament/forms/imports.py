"""Forms of an import: the list, what its columns hold, one line typed anew; a name's reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.sheets.columns import Layout
from tournament.sheets.entering import Offer, fields_of
from tournament.sheets.fields import Field
from tournament.sheets.judged import Choice
from tournament.sheets.reading import MOST_BYTES, Sheet, Unreadable, read_file, read_text

MOST_EXAMPLE = 20


class UploadForm(forms.Form):
    """A file, or a table pasted."""

    file = forms.FileField(
        label=_("表格文件"),
        required=False,
        help_text=_("Excel（.xlsx）或 CSV，不超过 5 MB、5000 名。"),
        widget=forms.ClearableFileInput(attrs={"accept": ".xlsx,.csv,.txt"}),
    )
    text = forms.CharField(
        label=_("或者粘贴表格"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("在表格里连标题一起选中、复制，粘贴到这里。"),
    )

    def clean(self) -> dict[str, object]:
        """`sheets`: what was read."""
        data = super().clean() or {}
        file, text = data.get("file"), data.get("text") or ""
        if file is None and not text.strip():
            if not self.errors:
                raise forms.ValidationError(_("请选择文件，或者粘贴表格。"))
            return data
        try:
            if file is None:
                data["sheets"] = (read_text(text),)
                if not data["sheets"][0].lines:
                    raise forms.ValidationError(_("请选择文件，或者粘贴表格。"))
            else:
                data["sheets"] = read_file(file.read(MOST_BYTES + 1))
        except Unreadable as error:
            self.add_error("text" if file is None else "file", str(error.message))
        return data


class LayoutForm(forms.Form):
    """Which sheet, where the people begin, what each column holds."""

    def __init__(
        self,
        *args: object,
        sheets: Sequence[Sheet],
        sheet: int,
        layout: Layout,
        offer: Offer,
        **kwargs: object,
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if len(sheets) > 1:
            self.fields["sheet"] = forms.TypedChoiceField(
                label=_("工作表"),
                choices=list(enumerate(one.name for one in sheets)),
                coerce=int,
                initial=sheet,
            )
        self.fields["start"] = forms.IntegerField(
            label=_("选手从第几行开始"), min_value=1, max_value=1_048_576, initial=layout.start
        )
        fields = fields_of(offer)
        choices = [("", _("不用")), *((str(field), field.label) for field in fields)]
        self.width = max(len(layout.columns), sheets[sheet].width)
        for index in range(self.width):
            field = layout.columns[index] if index < len(layout.columns) else None
            self.fields[f"column-{index}"] = forms.ChoiceField(
                label=_("第 %(n)d 列：%(example)s")
                % {"n": index + 1, "example": _example(sheets[sheet], index)},
                choices=choices,
                required=False,
                initial=str(field) if field in fields else "",
            )

    def columns(self) -> list[Field | None]:
        """What was chosen, column by column."""
        chosen = [self.cleaned_data[f"column-{index}"] for index in range(self.width)]
        return [Field(name) if name else None for name in chosen]


class RowForm(forms.Form):
    """A line typed anew; whether it is right is the preview's to say."""

    name = forms.CharField(label=_("姓名"), max_length=500, required=False)
    unit = forms.CharField(label=_("代表单位"), max_length=500, required=False)
    number = forms.CharField(label=_("编号"), max_length=500, required=False)
    phone = forms.CharField(
        label=_("手机号"),
        max_length=500,
        required=False,
        help_text=_("不改就空着。"),
    )
    drop_phone = forms.BooleanField(label=_("不要手机号"), required=False)
    birth_year = forms.CharField(label=_("出生年份"), max_length=500, required=False)
    seed = forms.CharField(label=_("种子"), max_length=500, required=False)
    events = forms.CharField(label=_("项目"), max_length=500, required=False)
    partner = forms.CharField(
        label=_("搭档"), max_length=500, required=False, help_text=_("姓名或编号。")
    )
    note = forms.CharField(label=_("备注"), max_length=500, required=False)

    def __init__(self, *args: Any, offer: Offer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if offer.has_several:
            self.fields["events"].help_text = _("可以写几个，用顿号隔开：%(known)s。") % {
                "known": _("、").join(one.name for one in offer.events)
            }
        for field in set(Field) - set(fields_of(offer)):
            del self.fields[field]

    def values(self) -> dict[Field, str]:
        """By field, the phone only where it was typed or dropped."""
        values = {field: self.cleaned_data[field] for field in Field if field in self.fields}
        if self.cleaned_data["drop_phone"]:
            values[Field.PHONE] = ""
        elif not values[Field.PHONE]:
            del values[Field.PHONE]
        return values


class ConfirmForm(forms.Form):
    """The preview's digest and what becomes of doubtful rows."""

    digest = forms.CharField(max_length=64)
    rest = forms.ChoiceField(
        choices=[(Choice.SKIP, _("不导入")), (Choice.NEW, _("都作为新选手"))], required=False
    )

    def choices(self) -> dict[int, Choice]:
        """By line, those that were chosen."""
        return {
            int(name.removeprefix("row-")): Choice(value)
            for name, value in self.data.items()
            if name.startswith("row-") and name[4:].isdecimal() and value in set(Choice)
        }


class ReadingForm(forms.Form):
    """Pinyin by hand."""

    reading = forms.CharField(
        label=_("拼音"),
        max_length=100,
        required=False,
        help_text=_("音节之间空一格，例如 qin xiao ming；空着就按常用读音。"),
    )


def _example(sheet: Sheet, index: int) -> str:
    """The first cell of a column, cut; digits hidden, as it may be a phone number."""
    for _line, cells in sheet.lines:
        if index < len(cells) and cells[index]:
            text = cells[index]
            shown = "".join("*" if c.isdigit() and len(text) > 6 else c for c in text)
            return shown[:MOST_EXAMPLE]
    return "–"
