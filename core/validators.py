"""Checks of what accounts are made of."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import gettext as _


class PasswordLength(MinimumLengthValidator):
    """Django's, whose sentence has no Chinese."""

    def get_error_message(self) -> str:
        """What is wrong and how long it has to be."""
        return _("密码太短，至少要 %(count)d 个字。") % {"count": self.min_length}

    def get_help_text(self) -> str:
        """How long it has to be."""
        return _("密码至少 %(count)d 个字。") % {"count": self.min_length}
