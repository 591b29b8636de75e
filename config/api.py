"""The API of the site, put together: /api/v1/."""

from django.urls import URLPattern, URLResolver, path, re_path

from core.api.document import Api, document_view, not_found
from scoring.api.public import router as results
from scoring.api.sheets import router as sheets
from scoring.api.tools import router as tools
from tournament.api.entries import router as entries
from tournament.api.public import router as public

api = Api(
    title="舵主 API",
    version="1",
    description=(
        "Competitions of 桂林字牌: public reads with ETag and pages; entries, arrivals, hands and "
        "confirmations with a token; and the engine. Errors are application/problem+json with a "
        "stable code and a sentence in the language of Accept-Language (zh-hans, en)."
    ),
    urls_namespace="api",
)
for router in (public, results, entries, sheets, tools):
    api.add_router("", router)

urlpatterns: list[URLPattern | URLResolver] = [
    path("openapi.json", document_view(api), name="openapi"),
    path("", not_found, name="api_root"),
    path("", api.urls),
    re_path(r"^(?P<rest>(?s:.*))\Z", not_found, name="api_not_found"),
]
