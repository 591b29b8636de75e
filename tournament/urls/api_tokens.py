"""Addresses of programs' tokens."""

from django.urls import path

from tournament.views.organizer import api_tokens

M = "c/<str:code>/manage/tokens/"

urlpatterns = [
    path(M, api_tokens.tokens, name="manage_tokens"),
    path(f"{M}<int:pk>/revoke/", api_tokens.revoke, name="manage_token_revoke"),
]
