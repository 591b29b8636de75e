"""Addresses of the organizer's pages that need results."""

from django.urls import path

from scoring.views import seeds

urlpatterns = [
    path("c/<str:code>/manage/seeds/standing/", seeds.by_standing, name="manage_seeds_standing"),
]
