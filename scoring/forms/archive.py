"""The form by which an archive is read in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.archive.package import MOST_BYTES


class ArchiveForm(forms.Form):
    """The file, and whether it may get another address."""

    file = forms.FileField(
        label=_("比赛档案"),
        help_text=_("从“数据”页下载的 zip 文件，不超过 32 MB。"),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,application/zip"}),
    )
    new_address = forms.BooleanField(
        label=_("换一个新地址"),
        required=False,
        help_text=_("这里已经有这场比赛、还要再导入一份时才需要。"),
    )

    def clean_file(self) -> Any:
        """No larger than an archive may be."""
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("这个文件超过 32 MB，不能导入。"))
        return file
